import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { digestForm } from '../../../server/contract/forms/inbox.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { zoneOf } from '../../lib/zone.ts'
import { getSession, here } from '../../services.server.ts'

/** Without a choice the visitor's own zone is filled in. */
export async function readInboxSettings(args: LoaderFunctionArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { inbox, env } = args.context.services
  const { digest, timeZone } = await inbox.readSettings({}, session)
  const chosen = timeZone ?? zoneOf(args.request.headers.get('cookie'), env.BUSINESS_TZ)
  return {
    account: { name: session.account.name, email: session.account.email },
    reviewer: session.account.staffRole === 'reviewer',
    digest,
    timeZone: chosen,
    zones: [...new Set([chosen, env.BUSINESS_TZ, 'UTC', ...Intl.supportedValuesOf('timeZone')])],
  }
}

export async function saveInboxSettings(args: ActionFunctionArgs, realm: Realm) {
  const session = await getSession(args, realm)
  return runForm(args.request, digestForm, async (settings) => {
    await args.context.services.inbox.saveSettings(settings, session)
    return goOn(here(args.request), 'inbox_settings_saved')
  })
}
