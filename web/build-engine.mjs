// Builds the engine: the library for browsers, made smaller and packed into text for the page.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync, constants } from 'node:zlib'

const web = dirname(fileURLToPath(import.meta.url))
const target = process.env.CARGO_TARGET_DIR ?? join(web, 'engine', 'target')

// Flags for the linker of this machine mean nothing to that of browsers.
const env = { ...process.env, RUSTFLAGS: '', CARGO_TARGET_DIR: target }
const cargo = ['build', '--locked', '--release', '--target', 'wasm32-unknown-unknown']
execFileSync('cargo', [...cargo, '--manifest-path', join(web, 'engine', 'Cargo.toml')], { env, stdio: 'inherit' })

const built = join(target, 'wasm32-unknown-unknown', 'release', 'astragal_engine.wasm')
const out = join(web, 'dist')
mkdirSync(out, { recursive: true })
const small = join(out, 'engine.wasm')
const optimise = ['-O3', '--enable-bulk-memory', '--enable-nontrapping-float-to-int', '--enable-sign-ext',
  '--enable-mutable-globals', '--enable-multivalue', '--enable-reference-types', '--strip-debug', '--strip-producers']
execFileSync(process.execPath, [join(web, 'node_modules', 'binaryen', 'bin', 'wasm-opt'), built, ...optimise, '-o', small],
  { stdio: 'inherit' })

const packed = gzipSync(readFileSync(small), { level: constants.Z_BEST_COMPRESSION })
writeFileSync(join(out, 'engine.gz'), packed)
const bytes = file => `${(statSync(file).size / 1e6).toFixed(2)} MB`
console.log(`engine: ${bytes(built)} built, ${bytes(small)} optimised, ${bytes(join(out, 'engine.gz'))} compressed`)
