// Files of a project: which are rules, how they are called, and what a new one begins with.

export const isScript = (name: string) => name.endsWith('.script')
export const rulesOf = (files: Record<string, string>) => Object.fromEntries(Object.entries(files).filter(([name]) => !isScript(name)))
export const sorted = (files: Record<string, string>) => Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
const quoted = (title: string) => title.replace(/["{}\\]/g, '')
export const entitled = (text: string, title: string) => text.replace(/^(game|variant) "[^"]*"/m, (_, word) => `${word} "${quoted(title)}"`)

export const blank = (title: string) => `## What the game is about, in one sentence.
game "${quoted(title)}" { players 2 }

each player has { points: 0.. = 0 }

play {
  turns me from Player.first {
    choose me "What do you do, {me}?" {
      ## Get a point.
      get_a_point { me.points += 1 }
      ## Wait a turn.
      wait { say "{me} waits." }
    }
    if me.points >= 5 { finish win me }
  }
}
`
