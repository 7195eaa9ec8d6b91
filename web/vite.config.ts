// One page, one file: styles, code, worker and engine are written into index.html.
import { existsSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'vite'

const ENGINE = 'dist/engine.gz'

// Nothing is fetched from elsewhere; `serve` talks to the host that the page came from.
const POLICY = [
  "default-src 'none'", "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:", 'worker-src blob:',
  "style-src 'unsafe-inline'", 'img-src data: blob:', "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
].join('; ')

function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (html.includes('%ENGINE%')) {
          if (!existsSync(ENGINE)) throw new Error('build the engine first: npm run engine')
          const engine = readFileSync(ENGINE).toString('base64')
          html = html.replace('%ENGINE%', () => engine)
        }
        if (!bundle) return html
        let code = ''
        for (const [name, part] of Object.entries(bundle)) {
          if (part.type === 'chunk') code += part.code
          else if (name.endsWith('.css')) html = html.replace('</head>', () => `<style>${part.source}</style>\n</head>`)
          if (part.type === 'chunk' || name.endsWith('.css')) delete bundle[name]
        }
        // A tag inside of code would end it.
        code = code.replace(/<\/script/g, '<\\/script').replace(/<!--/g, '<\\!--')
        return html
          .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
          .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, '')
          .replace('<head>', () => `<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${POLICY}">`)
          .replace('</body>', () => `<script type="module">${code}</script>\n</body>`)
      },
    },
  }
}

// `--mode seat` builds the page that `astragal serve` sends.
export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [oneFile()],
  worker: { format: 'iife' },
  server: { fs: { allow: ['..'] } },
  build: {
    target: 'es2022', emptyOutDir: false, modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 1e8,
    rollupOptions: { input: mode === 'seat' ? 'seat.html' : 'index.html' },
  },
}))
