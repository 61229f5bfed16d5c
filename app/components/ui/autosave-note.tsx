import { WifiOff } from './icons.ts'
import { Banner } from './page-parts.tsx'

interface AutosaveNoteProps {
  state: 'idle' | 'saving' | 'saved'
}

/** Says, beside a form's buttons, whether the typed input is saved. */
export function AutosaveNote({ state }: AutosaveNoteProps) {
  return (
    <span className="small muted" role="status">
      {state === 'saving' ? 'Saving' : state === 'saved' ? 'Saved automatically.' : ''}
    </span>
  )
}

/** The banner above the form while there is no connection. */
export function LostConnection({ isLost }: { isLost: boolean }) {
  if (!isLost) return null
  return (
    <Banner tone="bad" icon={WifiOff} title="No connection. Nothing is lost.">
      This tab keeps what you type, and saves it as soon as the connection is back.
    </Banner>
  )
}
