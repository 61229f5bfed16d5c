/**
 * Launches without an account: anybody launches an app of theirs at the demonstration practice, as one of its standing
 * people. Reading a link stores nothing; a launch is made by the click on its page.
 */

import { isIP } from 'node:net'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { launchKindRow } from '../../contract/lab/launch-lab.ts'
import {
  latestVisit,
  type OpenLaunch,
  openLaunchAudience,
  openLaunchClinicians,
  openLaunchLimits,
} from '../../contract/lab/open-launch.ts'
import { findRedirectUriFault, isLoopback } from '../../contract/smart/redirect-uris.ts'
import * as throttle from '../../domain/accounts/throttle.ts'
import type { Core } from '../../domain/core.ts'
import { createLaunch, launchEnd, launchUrl } from '../../domain/grants/launches.ts'
import { isPublicAddress } from '../../outbound/address-guard.ts'
import { search } from '../sandbox/sandbox-reads.ts'
import { noteStep } from './exchange-log.ts'
import { ensureOpenClient, keepOpenKey, openClientId } from './open-log.ts'
import * as people from './people.ts'

type DemonstrationPractice = Readonly<{ id: string; slug: string; name: string; datasetId: number }>
type Visitor = Readonly<{ ip: string; cookieHeader: string | null }>

/** What a link would launch. @throws Problem `validation` naming the field at fault, `unavailable` without a demonstration */
export async function show(core: Core, launch: OpenLaunch) {
  checkAddresses(core, launch)
  const practice = await getDemonstration(core)
  const { host, origin } = new URL(launch.url)
  return {
    clientId: openClientId(launch),
    iss: core.addresses.fhirBase(practice.slug),
    practiceName: practice.name,
    /** Of the launch URL, as the browser will show it: names in other scripts in their ASCII form. */
    host,
    origin,
  }
}

/** Makes the launch. @throws Problem as `show`, and `rate_limited` */
export async function start(core: Core, launch: OpenLaunch, visitor: Visitor) {
  const { prisma, clock } = core
  const { iss } = await show(core, launch)
  await throttle.takeOrRefuse(
    core,
    [
      { rule: 'openLaunch', subject: [throttle.networkOf(visitor.ip)] },
      { rule: 'openLaunchEverybody', subject: [] },
    ],
    `Too many launches. One network can start ${openLaunchLimits.networkPerHour} per hour.`,
  )
  const practice = await getDemonstration(core)
  const isClinician = openLaunchAudience(launch.kind) === 'clinician'
  const practitionerId = isClinician ? (launch.clinician ?? openLaunchClinicians[0]?.id ?? '') : null
  const { launched } = launchKindRow(launch.kind)
  const encounterId = launched ? await findVisit(core, practice, launch) : null
  const accountId =
    practitionerId === null
      ? await people.loginOfPatient(core, practice, launch.patient)
      : await people.loginOfClinician(core, practice, practitionerId)
  const clientId = await ensureOpenClient(core, launch, practice.id)
  const { keyHash, cookie } = keepOpenKey(core, visitor.cookieHeader)
  const now = clock()
  const common = { practiceId: practice.id, clientId, patientId: launch.patient }
  const { id, value } = await prisma.$transaction(async (tx: Prisma.TransactionClient) => {
    const value = launched ? await createLaunch(core, tx, { ...common, encounterId, practitionerId }) : null
    const row = await tx.launchSimulation.create({
      data: {
        ...common,
        createdAt: now,
        expiresAt: launchEnd(now),
        kind: launch.kind,
        accountId,
        launchHash: value === null ? null : hashToken(value),
        openedFrom: hashToken(visitor.ip),
        keyHash,
        scope: launch.scope,
      },
    })
    return { id: row.id, value }
  })
  await noteStep(core, id, {
    step: launched ? 'launched' : 'opened',
    ok: true,
    sent: { url: launch.url, iss, ...(value !== null && { launch: value }) },
    came: { client_id: clientId, patient: launch.patient, encounter: encounterId, scope: launch.scope },
  })
  return {
    id,
    /** Where the browser goes. */
    url: launchUrl(launch.url, iss, value),
    /** Keeps the browser's key. */
    cookie,
  }
}

function checkAddresses({ env }: Core, { url, redirect }: OpenLaunch): void {
  const refuse = (field: string, message: string) => new Problem('validation', { field, message })
  const fault = faultOfOpenAddress(url, env)
  if (fault !== null) throw refuse('url', fault)
  for (const each of redirect) {
    const wrong = faultOfOpenAddress(each, env) ?? findRedirectUriFault(each)
    if (wrong !== null) throw refuse('redirect', wrong)
  }
}

/** @throws Problem `validation` for a visit that the patient does not have */
async function findVisit(core: Core, practice: DemonstrationPractice, { encounter, patient }: OpenLaunch) {
  if (encounter === null) return null
  if (encounter !== latestVisit) {
    await people.checkEncounter(core, practice, encounter, patient)
    return encounter
  }
  const { matches } = await search(core, practice, 'Encounter', patient, [['_count', '1']])
  if (matches[0]) return matches[0].id
  throw new Problem('validation', { field: 'encounter', message: 'This patient has no visits.' })
}

/** The demonstration practice of the sandbox. */
async function getDemonstration({ prisma }: Core): Promise<DemonstrationPractice> {
  const practice = await prisma.practice.findFirst({
    where: { purpose: 'demonstration', environment: 'sandbox', state: 'active' },
    select: { id: true, slug: true, name: true, datasetId: true },
    orderBy: { createdAt: 'asc' },
  })
  if (practice === null)
    throw new Problem('unavailable', { detail: 'no demonstration practice: the seed has not run' })
  return practice
}

// Where a launch without an account may lead. Names are judged as they are written: nothing is looked up or fetched
// here, the visitor's browser goes there itself.

/** Ends of names that only a private network resolves. https://www.iana.org/assignments/special-use-domain-names */
const privateNames =
  /\.(?:internal|local|localhost|localdomain|lan|home|corp|private|intranet|home\.arpa|arpa)$/

const ownOrigins = ['PUBLIC_ORIGIN', 'FHIR_ORIGIN', 'REST_ORIGIN', 'STATUS_ORIGIN'] as const

type OwnOrigins = Readonly<Record<(typeof ownOrigins)[number], string>>

/** @returns what is wrong with a launch URL or redirect URI, as a sentence; null when it may be used */
export function faultOfOpenAddress(text: string, own: OwnOrigins): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || /[\s<>"\\^`{|}]/.test(text) || url.host.includes('*'))
    return 'Enter a complete URL, without spaces or wildcards.'
  const atHome = isLoopback(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && atHome))
    return 'Use https. Plain http is for localhost, 127.0.0.1 and [::1] only.'
  if (url.username !== '' || url.password !== '') return 'Remove the user name and password from the URL.'
  if (text.includes('#')) return 'Remove the fragment (everything from # on).'
  if (ownOrigins.some((name) => isSameServer(url, new URL(own[name]))))
    return 'Enter your own app’s URL. This portal can’t be launched.'
  return atHome || isPublicHost(url.hostname)
    ? null
    : 'The host is on a private network. Use a public https host or localhost.'
}

/** By any name of this machine, with or without the dot that ends a full name, by https or not. */
function isSameServer(url: URL, own: URL): boolean {
  if (isLoopback(url) && isLoopback(own)) return url.port === own.port
  return (
    url.hostname.replace(/\.$/, '') === own.hostname &&
    (url.port === own.port || url.protocol !== own.protocol)
  )
}

/** @param hostname as URL writes it: lower case, addresses in their one spelling, IPv6 in brackets */
function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return isPublicAddress(address)
  const name = hostname.replace(/\.$/, '')
  return name.includes('.') && !privateNames.test(name)
}
