/** The organizations of the demonstration's month, and the people in it besides those of `demo-people.ts`. */
import { type DemoPerson, demoPeople } from '../demo-people.ts'

const emailOf = (role: string, realm: DemoPerson['realm']) => {
  const found = demoPeople.find((person) => person.role === role && person.realm === realm)
  if (!found) throw new Error(`no demonstration sign-in is a ${role}`)
  return found.email
}

/** Emails of everybody who acts in the month. */
export const who = {
  dana: emailOf('developer', 'developer'),
  milo: 'milo.mockford@larkfield.example',
  petra: 'petra.placeholder@brightmeadow.example',
  ansel: 'ansel.samplewright@quillhaven.example',
  theo: emailOf('practice admin', 'practice'),
  iris: emailOf('practice signatory', 'practice'),
  nora: 'nora.mockridge@juniper-point.example',
  rhea: emailOf('first reviewer', 'staff'),
  tomas: emailOf('second reviewer', 'staff'),
  olu: emailOf('ops', 'staff'),
} as const
export type Who = keyof typeof who

type OrganizationRow = Readonly<{
  name: string
  /** Answers for it, signs for it. */
  owner: Who
  ownerName: string
  domain: string
  legalName: string
  address: string
}>

export const organizations = {
  larkfield: {
    name: 'Larkfield Labs',
    owner: 'dana',
    ownerName: 'Dana Sandboxer',
    domain: 'larkfield.example',
    legalName: 'Larkfield Labs LLC',
    address: '12 Placeholder Street, Samplehaven, ME 04999',
  },
  brightmeadow: {
    name: 'Brightmeadow Health',
    owner: 'petra',
    ownerName: 'Petra Placeholder',
    domain: 'brightmeadow.example',
    legalName: 'Brightmeadow Health Inc.',
    address: '4 Specimen Square, Mockford, VT 05999',
  },
  quillhaven: {
    name: 'Quillhaven Analytics',
    owner: 'ansel',
    ownerName: 'Ansel Samplewright',
    domain: 'quillhaven.example',
    legalName: 'Quillhaven Analytics LLC',
    address: '77 Testing Wharf, Exampleton, NH 03899',
  },
} as const satisfies Record<string, OrganizationRow>
export type OrganizationId = keyof typeof organizations

export const practices = {
  harbor: {
    slug: 'harbor-family',
    admin: 'theo',
    legalName: 'Harborlight Family Medicine P.C.',
    address: '1 Mock Pier, Samplehaven, ME 04999',
    contactEmail: 'privacy@harbor-family.example',
    signatory: 'iris',
    signatoryName: 'Iris Mockley',
    signatoryTitle: 'Practice Manager',
  },
  juniper: {
    slug: 'juniper-point',
    admin: 'nora',
    legalName: 'Juniper Point Pediatrics P.A.',
    address: '9 Sample Lane, Exampleton, NH 03899',
    contactEmail: 'privacy@juniper-point.example',
    signatory: 'nora',
    signatoryName: 'Nora Mockridge',
    signatoryTitle: 'Managing Partner',
  },
} as const
export type PracticeId = keyof typeof practices

const ownerOf = (id: OrganizationId) => {
  const { owner, ownerName: name, name: organization } = organizations[id]
  return { realm: 'developer', email: who[owner], name, organization } as const
}

/** Sign in with the password of all demonstration people. */
export const monthPeople: readonly (DemoPerson & { memberOf?: OrganizationId })[] = [
  {
    role: 'colleague',
    realm: 'developer',
    email: who.milo,
    name: 'Milo Mockford',
    memberOf: 'larkfield',
  },
  { role: 'owner of the second organization', ...ownerOf('brightmeadow') },
  { role: 'owner of the third organization', ...ownerOf('quillhaven') },
  {
    role: 'admin of the second practice',
    realm: 'practice',
    email: who.nora,
    name: practices.juniper.signatoryName,
    practiceRoles: [{ slug: practices.juniper.slug, role: 'admin' }],
  },
]
