import { Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'

export interface KeyChoiceProps {
  practices: readonly {
    slug: string
    name: string
    shared: boolean
    levels: readonly ('read_only' | 'full')[]
  }[]
  practice: { slug: string; shared: boolean }
  level: 'read_only' | 'full'
  signedIn: boolean
}

/** With which key a call is made; the secret stays on the server. Stands inside the form of a call. */
export function KeyChoice({ practices, practice, level, signedIn }: KeyChoiceProps) {
  if (!signedIn)
    return (
      <p className="small muted ex-note">
        You aren’t signed in, so calls go to the shared demonstration practice with a read-only key, with a
        few calls a minute. <Link to={paths.signUp}>Sign up</Link> to get your own sandbox with write access.
        The <Link to={paths.sandboxTerms}>sandbox terms</Link> apply.
      </p>
    )
  const mayWrite = practices.some(({ levels }) => levels.includes('full'))
  return (
    <div className="ex-pair">
      <div className="field">
        <label htmlFor="ex-practice">Practice</label>
        <select className="input" id="ex-practice" name="practice" defaultValue={practice.slug}>
          {practices.map(({ slug, name, shared }) => (
            <option key={slug} value={slug}>
              {shared ? `${name} (shared, read-only)` : name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="ex-level">Key level</label>
        <select
          className="input"
          id="ex-level"
          name="level"
          defaultValue={level}
          aria-describedby="ex-key-hint"
        >
          <option value="read_only">Read-only</option>
          {mayWrite && <option value="full">Full: read and write</option>}
        </select>
      </div>
      <p className="hint small muted" id="ex-key-hint">
        A real key for 60 minutes, created for you. It stays on our server and ends when you sign out.
      </p>
    </div>
  )
}
