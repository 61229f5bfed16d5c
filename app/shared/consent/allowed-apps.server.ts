/** The apps that the signed-in person allowed; the same page for patients and for people of a practice. */
import { describeScopes } from '../../../server/contract/smart/scope-labels.ts'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { actorOf, getSession, type PageArgs, unlessUnavailable } from '../../services.server.ts'
import { toGroupReads, toReads } from './consent-view.ts'

/** A clinician who opens an app for every patient has hundreds. */
const recordsMax = 20

type Realm = 'patient' | 'practice'

export async function loadAllowedApps(args: PageArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { grants, namePatients, lastReads } = args.context.services
  const all = await grants.listForAccount(session.accountId)
  const apps = all.map((app) => ({
    ...app,
    records: app.records.slice(0, recordsMax),
    /** Of patients beyond those in `records`. */
    otherRecords: Math.max(0, app.records.length - recordsMax),
  }))
  const actor = actorOf(args, session)
  const nameOf = await namePatients(apps, actor)
  // Old months are in object storage. An app can be stopped without them.
  const lastReadOf = await unlessUnavailable(() => lastReads(apps, actor))
  return {
    account: { name: session.account.name, email: session.account.email },
    apps: apps.map((app) => ({
      ...app,
      records: app.records.map((record) => {
        const { patientId, scopes } = record
        return {
          aboutOnePerson: patientId !== null,
          /** Null when it is about no one person, or one the reader may no longer see. */
          personName: patientId === null ? null : nameOf({ practiceId: app.practice.id, patientId }),
          beyondOnePerson: describeScopes(scopes, 'other').beyondOnePerson,
          ...toGroupReads(scopes),
          types: toReads(scopes),
          lastReadAt: lastReadOf ? lastReadOf(record) : ('unavailable' as const),
        }
      }),
    })),
  }
}

export async function stopApp(args: PageArgs, realm: Realm, page: string) {
  const session = await getSession(args, realm)
  const grantId = String((await readFields(args.request)).get('grant') ?? '')
  await args.context.services.grants.revoke(grantId, actorOf(args, session))
  return goOn(page, 'app_stopped')
}
