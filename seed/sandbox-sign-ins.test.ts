import { expect, test } from 'vitest'
import { isSandboxAddress, sandboxSignIns, signInAddress } from '../server/contract/lab/sandbox-sign-ins.ts'
import { normalizeEmail } from '../server/contract/text/email-address.ts'
import { castSeed } from './options.ts'
import { practiceRecords } from './practice-records.ts'
import { getPractice } from './practices.ts'

type Named = { resourceType: string; id: string; patient?: { reference?: string } }

const records = [...practiceRecords(getPractice('sandbox-template'), castSeed)] as unknown as Named[]
const find = (type: string, id: string | undefined) =>
  records.find((each) => each.resourceType === type && each.id === id)

const patients = sandboxSignIns.flatMap((each) => (each.realm === 'patient' ? [each] : []))
const staff = sandboxSignIns.flatMap((each) => (each.realm === 'practice' ? [each] : []))

test('every standing sign-in is somebody of the seeded practice', () => {
  for (const { localPart, actsFor } of patients)
    for (const { patientId, relationship, relatedPersonId } of actsFor) {
      expect(find('Patient', patientId), localPart).toBeDefined()
      const related = find('RelatedPerson', relatedPersonId)?.patient?.reference
      expect(related, localPart).toBe(relationship === 'self' ? undefined : `Patient/${patientId}`)
    }
  for (const { localPart, practitionerId, role } of staff)
    expect(find('Practitioner', practitionerId) !== undefined, localPart).toBe(role === 'clinician')
})

test('there are at least 12 patients, three clinicians of different roles and one admin', () => {
  const people = new Set(patients.flatMap(({ actsFor }) => actsFor.map(({ patientId }) => patientId)))
  const roles = staff.flatMap(({ practitionerId }) => {
    const role = find('PractitionerRole', practitionerId?.replace('pr-', 'prr-')) as unknown as
      | { code: { coding: { code: string }[] }[] }
      | undefined
    return role?.code[0]?.coding[0]?.code ?? []
  })
  const parentsOf = (patientId: string) =>
    patients.filter(({ actsFor }) =>
      actsFor.some((each) => each.patientId === patientId && each.relationship === 'parent'),
    ).length

  expect(patients.length).toBeGreaterThanOrEqual(12)
  expect(people.size).toBeGreaterThanOrEqual(12)
  expect(new Set(roles).size).toBe(3)
  expect(staff.filter(({ role }) => role === 'admin')).toHaveLength(1)
  expect(parentsOf('pt-pip-testwell')).toBe(2)
  expect(patients.filter(({ actsFor }) => actsFor.length === 3)).toHaveLength(1)
  expect(patients.filter(({ severalPractices }) => severalPractices)).toHaveLength(1)
})

test('their addresses are as an account keeps them, and nobody else’s', () => {
  const addresses = sandboxSignIns.map(({ localPart }) => signInAddress(localPart, 'sandbox-0123'))

  expect(new Set(addresses).size).toBe(addresses.length)
  for (const each of addresses) {
    expect(normalizeEmail(each)).toBe(each)
    expect(isSandboxAddress(each)).toBe(true)
  }
  expect(isSandboxAddress('wren.testwell@people.example')).toBe(false)
  expect(isSandboxAddress('dana@larkfield.example')).toBe(false)
})
