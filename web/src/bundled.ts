// The scripts of the bundled games, which the engine does not carry.

const FOUND = import.meta.glob(['../../games/*/scripts/*.script', '../../examples/*.script'], { query: '?raw', import: 'default', eager: true }) as Record<string, string>

/** The scripts that belong to a bundled game, by their names. */
export function scriptsOf(game: string): Record<string, string> {
  const [folder, variant] = game.split('/')
  const file = variant ?? folder
  const plays = (text: string) => new RegExp(`^game (\\.\\./)?${file}(\\.game)?\\s*$`, 'm').test(text)
  const own = Object.entries(FOUND).filter(([path, text]) => (path.includes(`/games/${folder}/`) && plays(text)) || path.endsWith(`/examples/${game}.script`))
  return Object.fromEntries(own.map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]))
}
