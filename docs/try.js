// A button "Try it" above each whole game: it opens the page, which lies beside the book, with that game.
(async () => {
  const root = typeof path_to_root === 'string' ? path_to_root : ''
  const page = new URL('../index.html', new URL(root || '.', location.href))
  for (const code of document.querySelectorAll('code.language-game:not(.wrong)')) {
    const text = code.textContent
    if (!/^game "/m.test(text) || !/^play\b/m.test(text)) continue
    const project = JSON.stringify({ name: 'try', text, files: {}, scripts: {} })
    const stream = new Blob([project]).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    const letters = btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    const link = document.createElement('a')
    Object.assign(link, { href: `${page}#g=${letters}`, textContent: '▶ Try it', target: '_blank' })
    code.closest('pre').before(link)
  }
})()
