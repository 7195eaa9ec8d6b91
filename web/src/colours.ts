// Colours of the view as colours of the page; what is written on them stays readable.

const NAMED: Record<string, string> = {
  red: '#cf4444', orange: '#e08a2b', brown: '#8d6243', yellow: '#e6c14c', green: '#3f9a5f', cyan: '#2b9fb3', blue: '#3f74c9',
  magenta: '#a755b5', pink: '#e291b4', grey: '#8b9199', white: '#f6f4ee', black: '#2a2c31',
}

export function colour(name: string | undefined): string {
  if (!name) return NAMED.grey
  return NAMED[name] ?? (/^#[0-9a-f]{6}$/i.test(name) ? name : NAMED.grey)
}

function luminance(hex: string): number {
  const part = (at: number) => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/** Black or white, whichever is read better on a colour. */
export function ink(hex: string): string {
  const light = luminance(hex)
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#1b1c1f' : '#ffffff'
}
