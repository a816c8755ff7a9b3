// Runs in every page. `window.benchmarkKeys` gets the milliseconds from each key that writes something to the frame that shows it, drawn;
// `window.benchmarkFault` when a mistake was underlined first, in milliseconds since the page was asked for.
{
  const latencies = (window.benchmarkKeys = [])
  let pressedAt
  document.addEventListener('keydown', ({ timeStamp }) => (pressedAt = timeStamp), true)
  document.addEventListener(
    'keypress',
    () => {
      const begun = pressedAt
      requestAnimationFrame(() => setTimeout(() => latencies.push(performance.now() - begun)))
    },
    true,
  )
  const look = () => {
    if (document.querySelector('.monaco-editor .squiggly-error')) window.benchmarkFault = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
