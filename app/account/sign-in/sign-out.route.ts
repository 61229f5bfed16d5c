import { redirect } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type Realm, realmNames } from '../../../server/contract/portal/realms.ts'
import { doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import { findSession, page, visitorOf } from '../../services.server.ts'

export const loader = () => redirect(paths.home)

const signedOutPages: Record<Realm, string> = {
  developer: '/',
  staff: paths.staffSignIn,
  practice: paths.practiceSignIn,
  patient: paths.patientSignIn,
}

export const action = page(async (args) => {
  const named = (await readFields(args.request)).get('realm')
  const realm = realmNames.find((each) => each === named) ?? 'developer'
  const session = await findSession(args, realm)
  const headers = new Headers({ 'set-cookie': doneCookie('signed_out') })
  if (session) {
    const { cookie } = await args.context.services.accounts.signOut(session, visitorOf(args))
    headers.append('set-cookie', cookie)
  }
  return redirect(signedOutPages[realm], { headers })
})
