// Runs in every page. Notes which pages are said to be ready, and what this one asks for, each with whether anybody looks at it by then.
{
  const noted = (window.noted = { ready: [], drawn: [], asked: [] })
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'boxyard.page-ahead' && newValue !== null) noted.ready.push(newValue)
    if (key === 'test.drawn') noted.drawn.push(newValue)
  })
  // A page that nobody looks at tells the one that is shown what its editor has drawn.
  if (document.prerendering) {
    const look = () => {
      const line = document.querySelector('.editor-instance .view-line')?.textContent
      if (!line) return
      drawing.disconnect()
      localStorage.setItem('test.drawn', line)
    }
    const drawing = new MutationObserver(look)
    drawing.observe(document, { childList: true, subtree: true })
  }
  const note = (address) => noted.asked.push({ address: String(address), isAhead: document.prerendering })
  const usualFetch = window.fetch
  window.fetch = (what, options) => {
    note(what instanceof Request ? what.url : what)
    return usualFetch(what, options)
  }
  window.WebSocket = class extends WebSocket {
    constructor(address, protocols) {
      super(address, protocols)
      note(address)
    }
  }
}
