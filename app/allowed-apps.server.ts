/** The apps that the signed-in person allowed; the same page for patients and for people of a practice. */
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { describeScopes } from '../server/contract/scope-words.ts'
import { doneCookie } from './flash.ts'
import { actorOf, getSession } from './services.server.ts'
import { readFields } from './submission.server.ts'

type Realm = 'patient' | 'practice'

export async function loadAllowedApps(args: LoaderFunctionArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { grants, namePatients } = args.context.services
  const apps = await grants.listForAccount(session.accountId)
  const names = await namePatients(apps, actorOf(args, session))
  return {
    account: { name: session.account.name, email: session.account.email },
    apps: apps.map((app) => {
      const { lines, beyondOnePerson } = describeScopes(app.scopes, 'other')
      return {
        grantId: app.grantId,
        name: app.client.name,
        organizationName: app.client.organizationName,
        practiceName: app.practice.name,
        personName: names.get(app.grantId) ?? null,
        aboutOnePerson: app.patientId !== null,
        beyondOnePerson,
        reads: lines.map(({ title, picks, type }) => {
          const whole = app.scopes.some(
            (scope) =>
              scope.kind === 'resource' && !scope.filter && (scope.type === type || scope.type === '*'),
          )
          return whole || picks.length === 0
            ? title
            : `${title}: ${picks.map((pick) => pick.title.toLowerCase()).join(', ')}`
        }),
        grantedAt: app.grantedAt,
        lastUsedAt: app.lastUsedAt,
        offline: app.offline,
        endsAt: app.endsAt,
      }
    }),
  }
}

export async function stopApp(args: ActionFunctionArgs, realm: Realm, page: string) {
  const session = await getSession(args, realm)
  const grantId = String((await readFields(args.request)).get('grant') ?? '')
  await args.context.services.grants.revoke(grantId, actorOf(args, session))
  return redirect(page, { headers: { 'set-cookie': doneCookie('app_stopped') } })
}
