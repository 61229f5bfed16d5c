/** Apps in every state, as the people of the month register and review them. */
import { demonstrationJwksText } from '../../server/contract/lab/demonstration-sites.ts'
import {
  configurationChecks,
  type InfoReason,
  type RejectionReason,
} from '../../server/contract/workflows/registration-checks.ts'
import { type RegistrationForm, registrationForm } from '../../server/contract/workflows/registration-form.ts'
import { registrationTimes } from '../../server/contract/workflows/registration-workflow.ts'
import { type OrganizationId, organizations, type Who } from './people.ts'
import { type Days, type Scene, type Step, storiesOf } from './scene.ts'

type App = Readonly<{
  of: OrganizationId
  name: string
  description: string
  /** Of the form, where it differs. */
  form?: Partial<Record<keyof RegistrationForm, unknown>>
}>

const clinician = {
  audience: 'clinician',
  clientType: 'client_secret_basic',
  scope: 'openid fhirUser launch launch/patient user/Patient.rs user/Observation.rs',
}

const backend = {
  audience: 'backend',
  clientType: 'private_key_jwt',
  redirectUris: [],
  jwks: demonstrationJwksText,
  scope: 'system/Patient.rs system/Observation.rs system/Condition.rs',
}

function formOf({ of, name, description, form = {} }: App): RegistrationForm {
  const { domain } = organizations[of]
  const site = `https://${domain}`
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return registrationForm.parse({
    name,
    description,
    website: `${site}/`,
    privacyUrl: `${site}/privacy`,
    termsUrl: `${site}/terms`,
    technicalContact: `support@${domain}`,
    securityContact: `security@${domain}`,
    audience: 'patient',
    clientType: 'none',
    redirectUris: [`${site}/${slug}/callback`],
    scope: 'openid fhirUser launch/patient offline_access patient/Patient.rs patient/Observation.rs',
    attestAuthority: true,
    attestPatients: true,
    attestSecrets: true,
    attestChanges: true,
    ...(form.audience === 'clinician' && { launchUrl: `${site}/${slug}/launch` }),
    ...form,
  })
}

export const registrationOf = ({ prisma }: Scene, name: string) =>
  prisma.registration.findFirstOrThrow({ where: { name, kind: 'app' } })

/** The registration of an app as it is now, and the key of the step. */
async function targetOf(scene: Scene, { name }: App, part = '') {
  const { id: registrationId, version } = await registrationOf(scene, name)
  return { registrationId, version, idempotencyKey: scene.key(part) }
}

const verbs = {
  draft: async (scene: Scene, app: App, by: Who = organizations[app.of].owner) =>
    scene.registrations.saveDraft(
      {
        registrationId: null,
        organizationId: await scene.organizationId(app.of),
        form: formOf(app),
        version: null,
        idempotencyKey: scene.key(),
      },
      await scene.actor(by),
    ),

  submit: async (scene: Scene, app: App) => {
    const { version, sha256 } = scene.registrationTexts.terms()
    const form = { ...(await targetOf(scene, app)), terms: { version, sha256 } }
    const outcome = await scene.registrations.submit(form, await scene.ownerOf(app.of))
    if (outcome.kind !== 'submitted')
      throw new Error(`${app.name}: ${outcome.report.findings.map(({ reason }) => reason).join(' ')}`)
  },

  withdraw: async (scene: Scene, app: App) =>
    scene.registrations.withdraw(await targetOf(scene, app), await scene.ownerOf(app.of)),

  claim: async (scene: Scene, app: App, by: Who) =>
    scene.registrations.reviews.claim(await targetOf(scene, app), await scene.actor(by)),

  verify: async (scene: Scene, app: App, by: Who) => {
    const evidence = `A mailbox at ${organizations[app.of].domain} was confirmed.`
    const form = { ...(await targetOf(scene, app)), evidence }
    return scene.registrations.reviews.verifyAuthenticity(form, await scene.actor(by))
  },

  note: async (scene: Scene, app: App, by: Who, text: string) => {
    const { registrationId } = await targetOf(scene, app)
    return scene.registrations.reviews.note({ registrationId, text }, await scene.actor(by))
  },

  ask: async (scene: Scene, app: App, by: Who, code: InfoReason, text: string) =>
    scene.registrations.reviews.requestInfo(
      { ...(await targetOf(scene, app)), items: [{ code, text }] },
      await scene.actor(by),
    ),

  answer: async (scene: Scene, app: App, text: string) => {
    const target = await targetOf(scene, app)
    const { registrationId } = target
    const open = await scene.prisma.registrationItem.findMany({ where: { registrationId, answeredAt: null } })
    const answers = open.map(({ id: itemId }) => ({ itemId, text }))
    const owner = await scene.ownerOf(app.of)
    if (open.length > 0) await scene.registrations.answer({ ...target, answers }, owner)
    return scene.registrations.resubmit(await targetOf(scene, app, '-again'), owner)
  },

  approve: async (scene: Scene, app: App, by: Who) => {
    const { reviews } = scene.registrations
    const checked = { ...(await targetOf(scene, app)), checked: [...configurationChecks] }
    await reviews.validateConfiguration(checked, await scene.actor(by))
    return reviews.approve(await targetOf(scene, app, '-approve'), await scene.actor(by))
  },

  enable: async (scene: Scene, app: App) => {
    const { registrationId } = await targetOf(scene, app)
    if ((await scene.registrations.enable(registrationId)) === 'failed')
      throw new Error(`${app.name}: ${(await registrationOf(scene, app.name)).probeFailure}`)
  },

  /** One attempt while the sign-in service does not answer. After the last one operations have to try again. */
  'fail to enable': async (scene: Scene, app: App) => {
    const { registrationId } = await targetOf(scene, app)
    return scene.withoutServer(() => scene.registrations.enable(registrationId))
  },

  reject: async (scene: Scene, app: App, by: Who, second: Who, code: RejectionReason, text: string) => {
    const { reviews } = scene.registrations
    const proposal = { ...(await targetOf(scene, app)), codes: [code], text }
    await reviews.proposeRejection(proposal, await scene.actor(by))
    return reviews.reject(await targetOf(scene, app, '-second'), await scene.actor(second))
  },

  suspend: async (scene: Scene, app: App, reason: string, evidence: string) => {
    const form = { ...(await targetOf(scene, app)), reason, evidence }
    return scene.registrations.reviews.suspend(form, await scene.actor('olu'))
  },

  retire: async (scene: Scene, app: App, reason: string) =>
    scene.registrations.reviews.retire({ ...(await targetOf(scene, app)), reason }, await scene.actor('olu')),
}

const story = storiesOf(verbs)
const { probeAttempts, probeEveryMinutes } = registrationTimes

export function appSteps(days: Days): Step[] {
  return [...larkfield(days), ...brightmeadow(days), ...quillhaven(days)]
}

/** From the draft to enabled, in five business days. */
function enabled({ business }: Days, submittedBack: number, by: Who) {
  return [
    [business(submittedBack + 2, '10:20'), 'draft'],
    [business(submittedBack, '11:05'), 'submit'],
    [business(submittedBack - 1, '09:40'), 'claim', by],
    [business(submittedBack - 1, '10:15'), 'verify', by],
    [business(submittedBack - 3, '15:30'), 'approve', by],
    [business(submittedBack - 3, '15:31'), 'enable'],
  ] as const
}

function larkfield(days: Days): Step[] {
  const of = 'larkfield'
  const { business } = days
  return [
    ...story(
      {
        of,
        name: 'Larkfield Growth Curves',
        description: 'Draws the growth of a child from the chart, for the clinician who has it open.',
        form: clinician,
      },
      ...enabled(days, 20, 'rhea'),
    ),
    ...story(
      {
        of,
        name: 'Larkfield Sugar Diary',
        description: 'Shows people their own glucose results over the months, with what changed in between.',
      },
      [business(8, '14:10'), 'draft', 'milo'],
      [business(7, '10:30'), 'submit'],
      [business(6, '09:15'), 'claim', 'tomas'],
      [business(6, '11:00'), 'verify', 'tomas'],
      [
        business(2, '15:45'),
        'ask',
        'tomas',
        'scope_unexplained',
        'The app shows glucose results, and asks for all observations. Tell us what the others are for, or name the category.',
      ],
    ),
    ...story(
      {
        of,
        name: 'Larkfield Lab Explainer',
        description: 'Explains each laboratory result of a patient in everyday words, with its trend.',
      },
      [business(5, '16:00'), 'draft'],
      [business(4, '09:50'), 'submit'],
      [business(2, '10:05'), 'claim', 'rhea'],
      [
        business(2, '10:40'),
        'note',
        'rhea',
        'The privacy policy names the app. Contacts answered within an hour.',
      ],
    ),
    ...story(
      {
        of,
        name: 'Larkfield Visit Planner',
        description:
          'Helps people prepare for a visit: questions, medications, and what happened since the last.',
      },
      [business(1, '17:20'), 'draft', 'milo'],
    ),
    ...story(
      {
        of,
        name: 'Larkfield Pill Reminder',
        description: 'Reminds people of the medications on their list, at the hours that they choose.',
      },
      [business(16, '13:00'), 'draft'],
      [business(15, '13:30'), 'submit'],
      [business(14, '09:00'), 'withdraw'],
    ),
  ]
}

function brightmeadow(days: Days): Step[] {
  const of = 'brightmeadow'
  const { back, business } = days
  return [
    ...story(
      {
        of,
        name: 'Brightmeadow Family Hub',
        description:
          'One place for a family: visits, vaccinations and results of everybody in the household.',
      },
      ...enabled(days, 17, 'tomas'),
    ),
    // No one has claimed it, and its five business days are over.
    ...story(
      {
        of,
        name: 'Brightmeadow Check-in',
        description: 'Lets patients check in at the front desk, and corrects their address and coverage.',
        form: clinician,
      },
      [business(9, '11:00'), 'draft'],
      [business(6, '16:20'), 'submit'],
    ),
    ...story(
      {
        of,
        name: 'Brightmeadow Care Circle',
        description: 'Shares what a patient chooses with the relatives and neighbors who help at home.',
      },
      [business(14, '10:00'), 'draft'],
      [business(13, '10:30'), 'submit'],
      [business(12, '09:10'), 'claim', 'rhea'],
      [business(12, '09:45'), 'verify', 'rhea'],
      [
        business(10, '14:00'),
        'reject',
        'rhea',
        'tomas',
        'misleads',
        'The description says that relatives read what the patient chooses; the screens show the whole record to each of them.',
      ],
    ),
    ...story(
      {
        of,
        name: 'Brightmeadow Sleep Log',
        description: 'Keeps a diary of sleep beside the medications and diagnoses of the chart.',
      },
      ...enabled(days, 21, 'tomas'),
      [
        business(6, '12:10'),
        'suspend',
        'It sends far more requests than a diary of sleep needs, at all hours.',
        'Activity log of the last three days: 40,000 searches, the same patients each minute.',
      ],
    ),
    // Asked once, and never heard of again: withdrawn after thirty silent days.
    ...story(
      {
        of,
        name: 'Brightmeadow Messenger',
        description: 'Sends short messages between patients and the practice that knows them.',
      },
      [back(41, '10:00'), 'draft'],
      [back(40, '10:30'), 'submit'],
      [back(39, '11:00'), 'claim', 'tomas'],
      [
        back(38, '15:00'),
        'ask',
        'tomas',
        'description_unclear',
        'Say who at the practice reads the messages, and what happens with urgent ones.',
      ],
    ),
  ]
}

function quillhaven(days: Days): Step[] {
  const of = 'quillhaven'
  const { business } = days
  return [
    ...story(
      {
        of,
        name: 'Quillhaven Quality Measures',
        description: 'Computes the practice’s quality measures at night from conditions and observations.',
        form: backend,
      },
      [business(9, '09:30'), 'draft'],
      [business(8, '10:00'), 'submit'],
      [business(7, '10:00'), 'claim', 'rhea'],
      [business(7, '10:20'), 'verify', 'rhea'],
      [business(5, '16:30'), 'approve', 'rhea'],
      // The attempts of a server that is not reached.
      ...Array.from({ length: probeAttempts }, (_, index) => {
        const at = new Date(business(5, '16:31').getTime() + index * probeEveryMinutes * 60_000)
        return [at, 'fail to enable'] as const
      }),
    ),
    ...story(
      {
        of,
        name: 'Quillhaven Cohort Finder',
        description: 'Finds patients who are due for a screening, for the care team that calls them.',
        form: clinician,
      },
      [business(7, '15:00'), 'draft'],
      [business(6, '15:20'), 'submit'],
      [business(5, '09:00'), 'claim', 'tomas'],
      [business(5, '09:40'), 'verify', 'tomas'],
      [
        business(4, '13:00'),
        'ask',
        'tomas',
        'redirect_unclear',
        'Tell us whose address the redirect URI is: it is not on the website.',
      ],
      [business(2, '11:30'), 'answer', 'It is ours: the app runs below our own domain, at /cohort-finder.'],
    ),
    ...story(
      {
        of,
        name: 'Quillhaven Trial Match',
        description: 'Tells patients which clinical studies near them might fit their diagnoses.',
      },
      [business(2, '09:00'), 'draft'],
      [business(1, '10:45'), 'submit'],
    ),
    ...story(
      {
        of,
        name: 'Quillhaven Registry Feed',
        description:
          'Reported immunizations to the registry of the state until the practices did so themselves.',
        form: backend,
      },
      ...enabled(days, 24, 'rhea'),
      [
        business(9, '10:00'),
        'suspend',
        'Quillhaven asked us to stop it: the practices report to the registry themselves now.',
        'Email of its owner to operations.',
      ],
      [business(8, '10:00'), 'retire', 'Its owner confirmed that nobody uses it any more.'],
    ),
  ]
}
