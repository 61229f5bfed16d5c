import { Form, Link } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { DropMenu } from '../../components/ui/drop-menu.tsx'
import { LogOut, MonitorSmartphone, Smartphone, UserRound } from '../../components/ui/icons.ts'

interface AccountMenuProps {
  account: { name: string; email: string }
  realm: Realm
}

const sessionsOf: Readonly<Record<Realm, string>> = {
  developer: paths.sessions,
  staff: paths.staffOwnSessions,
  practice: paths.practiceSessions,
  patient: paths.patientSessions,
}

/** First letters of the first and the last name. */
function initials(name: string): string {
  const words = name.split(/[\s-]+/u).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The account that is signed in, its pages and the sign-out. */
export function AccountMenu({ account, realm }: AccountMenuProps) {
  return (
    <DropMenu
      summary={
        <span className="avatar" role="img" aria-label={`Signed in as ${account.name}`}>
          {initials(account.name)}
        </span>
      }
    >
      <div className="who">
        <b>{account.name}</b>
        <p className="small muted">{account.email}</p>
      </div>
      <hr />
      {realm === 'developer' && (
        <Link className="item" to={paths.account}>
          <UserRound className="i" />
          Account
        </Link>
      )}
      {realm === 'practice' && (
        <Link className="item" to={paths.practiceApps}>
          <Smartphone className="i" />
          Apps you allowed
        </Link>
      )}
      <Link className="item" to={sessionsOf[realm]}>
        <MonitorSmartphone className="i" />
        Sessions
      </Link>
      <Form method="post" action="/sign-out">
        <input type="hidden" name="realm" value={realm} />
        <button className="item" type="submit">
          <LogOut className="i" />
          Sign out
        </button>
      </Form>
    </DropMenu>
  )
}
