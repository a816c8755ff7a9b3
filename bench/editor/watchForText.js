// Runs in every page. Notes when the editor shows tokenised text: two lines with three kinds of token between them, drawn on the screen.
// Times are milliseconds since the page was asked for; `clickedAt` is the last click.
{
  const marks = (window.benchmark = {})
  document.addEventListener('click', () => (marks.clickedAt = performance.now()), true)
  const isReadable = () => {
    const lines = [...document.querySelectorAll('.monaco-editor .view-lines .view-line')]
      .map((line) =>
        [...line.querySelectorAll('span[class*="mtk"]')].map(({ className }) => /mtk\d+/.exec(className)?.[0]),
      )
      .filter((kinds) => kinds.length > 0)
    return lines.length >= 2 && new Set(lines.flat()).size >= 3
  }
  const look0 = () => {
    const spans = [...document.querySelectorAll("[data-first-text] p span")]
    if (new Set(spans.map((s) => s.style.color)).size < 3) requestAnimationFrame(look0)
    else requestAnimationFrame(() => setTimeout(() => (marks.firstAt = performance.now())))
  }
  requestAnimationFrame(look0)
  const look = () => {
    if (!isReadable()) requestAnimationFrame(look)
    else requestAnimationFrame(() => setTimeout(() => (marks.readableAt = performance.now())))
  }
  requestAnimationFrame(look)
}
