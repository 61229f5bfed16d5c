import { WifiOff } from './icons.ts'
import { Banner } from './page-parts.tsx'

interface AutosaveNoteProps {
  state: 'idle' | 'saving' | 'saved'
}

/** Beside the buttons of a form that is saved as it is typed. */
export function AutosaveNote({ state }: AutosaveNoteProps) {
  return (
    <span className="small muted" role="status">
      {state === 'saving' ? 'Saving' : state === 'saved' ? 'Saved automatically.' : ''}
    </span>
  )
}

/** On top of the form, while nothing can be saved. */
export function LostConnection({ isLost }: { isLost: boolean }) {
  if (!isLost) return null
  return (
    <Banner tone="bad" icon={WifiOff} title="No connection. Nothing is lost.">
      This tab keeps what you type, and saves it as soon as the connection is back.
    </Banner>
  )
}
