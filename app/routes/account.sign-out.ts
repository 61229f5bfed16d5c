import { type ActionFunctionArgs, redirect } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { type Realm, realmNames } from '../../server/contract/realms.ts'
import { doneCookie } from '../flash.ts'
import { findSession, page } from '../services.server.ts'
import { readFields } from '../submission.server.ts'

export const loader = () => redirect(paths.home)

const signedOutPages: Record<Realm, string> = {
  developer: '/',
  staff: paths.staffSignIn,
  practice: paths.practiceSignIn,
  patient: paths.patientSignIn,
}

export const action = page(async (args: ActionFunctionArgs) => {
  const named = (await readFields(args.request)).get('realm')
  const realm = realmNames.find((each) => each === named) ?? 'developer'
  const session = await findSession(args, realm)
  const headers = new Headers({ 'set-cookie': doneCookie('signed_out') })
  if (session) headers.append('set-cookie', (await args.context.services.sessions.end(session)).cookie)
  return redirect(signedOutPages[realm], { headers })
})
