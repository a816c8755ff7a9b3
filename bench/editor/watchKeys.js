// Runs in every page. `window.benchmarkKeys` gets the milliseconds from each key that writes something to the frame that shows it, drawn.
// Nothing here looks at frames while nobody types: where frames have no limit, a page that looks at each one does nothing else.
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
}
