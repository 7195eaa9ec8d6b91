// Builds the engine: the library for browsers, packed for the page.
import { gzipAsync } from '@gfx/zopfli'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = dirname(fileURLToPath(import.meta.url))
const target = process.env.CARGO_TARGET_DIR ?? join(web, 'engine', 'target')

// Flags for the linker of this machine mean nothing to that of browsers. Deep texts need a large stack. Short addresses
// make the engine a fortieth smaller when packed.
const flags = '-C link-arg=-zstack-size=8388608 -C link-arg=--compress-relocations'
const env = { ...process.env, RUSTFLAGS: flags, CARGO_TARGET_DIR: target, CARGO_INCREMENTAL: '0' }
const cargo = ['build', '--locked', '--release', '--target', 'wasm32-unknown-unknown']
execFileSync('cargo', [...cargo, '--manifest-path', join(web, 'engine', 'Cargo.toml')], { env, stdio: 'inherit' })

const engine = readFileSync(join(target, 'wasm32-unknown-unknown', 'release', 'astragal_engine.wasm'))
// Zopfli takes ten seconds for a file of the same form that is a twentieth smaller.
const packed = await gzipAsync(engine, { numiterations: 5 })
mkdirSync(join(web, 'dist'), { recursive: true })
writeFileSync(join(web, 'dist', 'engine.wasm'), engine)
writeFileSync(join(web, 'dist', 'engine.gz'), packed)
const megabytes = bytes => `${(bytes.length / 1e6).toFixed(2)} MB`
console.log(`engine: ${megabytes(engine)}, ${megabytes(packed)} compressed`)
