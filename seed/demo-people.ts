/**
 * The accounts of a demonstration, and the file with their password. They only exist with the embedded database or DEMO=1.
 */

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SandboxSignIn, sandboxSignIns } from '../server/contract/lab/sandbox-sign-ins.ts'
import { paths } from '../server/contract/portal/paths.ts'
import type { Realm } from '../server/contract/portal/realms.ts'

export interface DemoPerson {
  /** A description for the output of `npm start`. */
  readonly role: string
  readonly realm: Realm
  readonly email: string
  readonly name: string
  readonly staffRole?: 'reviewer' | 'ops'
  /** Their roles by the practice's slug. */
  readonly practiceRoles?: readonly {
    readonly slug: string
    readonly role: 'admin' | 'signatory' | 'clinician'
    readonly practitionerId?: string
  }[]
  /** The patients whose charts they may open. */
  readonly patients?: readonly {
    readonly slug: string
    readonly patientId: string
    readonly relationship: 'self' | 'parent'
  }[]
  /** The name of the organization that they own. */
  readonly organization?: string
}

const shown = 'sandpiper-demonstration'
/** The second practice of patients with two practices. */
const template = 'sandbox-template'

export const demoPeople: readonly DemoPerson[] = [
  {
    role: 'developer',
    realm: 'developer',
    email: 'dana.sandboxer@larkfield.example',
    name: 'Dana Sandboxer',
    organization: 'Larkfield Labs',
  },
  {
    role: 'practice admin',
    realm: 'practice',
    email: 'theo.placeholder@harbor-family.example',
    name: 'Theo Placeholder',
    practiceRoles: [
      { slug: 'harbor-family', role: 'admin' },
      { slug: shown, role: 'admin' },
    ],
  },
  {
    role: 'practice signatory',
    realm: 'practice',
    email: 'iris.mockley@harbor-family.example',
    name: 'Iris Mockley',
    practiceRoles: [
      { slug: 'harbor-family', role: 'signatory' },
      { slug: shown, role: 'signatory' },
    ],
  },
  ...sandboxSignIns.flatMap(clinician),
  {
    role: 'first reviewer',
    realm: 'staff',
    email: 'rhea.fauxworth@sandpiper.example',
    name: 'Rhea Fauxworth',
    staffRole: 'reviewer',
  },
  {
    role: 'second reviewer',
    realm: 'staff',
    email: 'tomas.testerby@sandpiper.example',
    name: 'Tomas Testerby',
    staffRole: 'reviewer',
  },
  {
    role: 'ops',
    realm: 'staff',
    email: 'olu.stubwell@sandpiper.example',
    name: 'Olu Stubwell',
    staffRole: 'ops',
  },
  ...sandboxSignIns.flatMap(patient),
]

/** Apps that the demonstration developer has registered; see demo.ts. */
export const sampleAppIds = ['sample-patient-app', 'sample-clinician-app', 'sample-backend-system'] as const

function clinician(signIn: SandboxSignIn): DemoPerson[] {
  if (signIn.realm !== 'practice' || signIn.role !== 'clinician') return []
  const { localPart, name, practitionerId } = signIn
  return [
    {
      role: 'clinician',
      realm: 'practice',
      email: `${localPart}@clinic.example`,
      name,
      practiceRoles: [{ slug: shown, role: 'clinician', ...(practitionerId && { practitionerId }) }],
    },
  ]
}

function patient(signIn: SandboxSignIn): DemoPerson[] {
  if (signIn.realm !== 'patient') return []
  const { localPart, name, actsFor, severalPractices } = signIn
  const at = (slug: string) =>
    actsFor.map(({ patientId, relationship }) => ({ slug, patientId, relationship }))
  return [
    {
      role: actsFor.length === 3 ? 'parent of two' : 'patient',
      realm: 'patient',
      email: `${localPart}@people.example`,
      name,
      patients: [...at(shown), ...(severalPractices ? at(template) : [])],
    },
  ]
}

/** Patients usually sign in through an app. Here they can see which apps they have allowed. */
const signInPaths: Readonly<Record<Realm, string>> = {
  developer: paths.signIn,
  practice: paths.practiceSignIn,
  staff: paths.staffSignIn,
  patient: paths.patientSignIn,
}

const signInsFile = 'demo-sign-ins.json'

/** @returns the password stored in the folder; null if there is none */
export async function readDemoPassword(folder: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, signInsFile), 'utf8')
    const { password } = JSON.parse(text) as { password?: unknown }
    return typeof password === 'string' && password.length >= 12 ? password : null
  } catch {
    return null // none yet, or cut short by a kill: a new one is made
  }
}

/** Writes the file with the accounts, which `npm start` prints. */
export async function writeSignIns(folder: string, password: string): Promise<void> {
  const people = demoPeople.map(({ role, realm, email, name }) => {
    return { role, realm, name, email, path: signInPaths[realm] }
  })
  await writeSecret(folder, signInsFile, { password, people })
}

/** Writes the file atomically, with permissions only for its owner from the start. */
export async function writeSecret(folder: string, name: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, name)
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
}
