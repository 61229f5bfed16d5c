/** Tables about simulated faults and launches. */
import { faultCodes, faultRow, interfaceNames } from '../../../server/contract/lab/faults.ts'
import { launchFaultNames, launchFaultRow } from '../../../server/contract/lab/launch-faults.ts'
import { launchKindNames, launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import type { Facts } from './facts.ts'

export const faultsTable = (): Facts => ({
  label: 'Faults',
  heads: ['Fault', 'What happens', 'Where', 'Parameter', 'A good client'],
  rows: faultCodes.map((code) => {
    const { does, interfaces, value, client } = faultRow(code)
    const number = value
      ? `\`${value.name}\`, ${value.min} to ${value.max}; ${value.usual} by default`
      : 'none'
    return [`\`${code}\``, does, interfaces.map((name) => interfaceNames[name]).join(', '), number, client]
  }),
})

export const launchKindsTable = (): Facts => ({
  label: 'Launches',
  heads: ['Launch', 'What happens', 'Kind of app', 'Starts with'],
  rows: launchKindNames.map((kind) => {
    const { title, sub, audience, launched } = launchKindRow(kind)
    return [title, sub, audience, launched ? '`iss` and `launch`' : '`iss` alone']
  }),
})

export const launchFaultsTable = (): Facts => ({
  label: 'What can go wrong in a launch',
  heads: ['Error', 'Launches', 'What the client sees'],
  rows: launchFaultNames.map((fault) => {
    const { title, kinds, announces } = launchFaultRow(fault)
    const others = launchKindNames.filter((kind) => !kinds.includes(kind))
    return [
      title,
      others.length === 0
        ? 'every launch'
        : `all but ${others.map((kind) => launchKindRow(kind).title).join(', ')}`,
      announces,
    ]
  }),
})
