/** Vaccines: CVX, routine ages rounded to months, and the years in which a product is given. Not clinical guidance. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { cvx } from './systems.ts'

interface VaccineCode {
  readonly coding: Coding
  readonly ageMonths?: readonly number[]
  /** First and last year given, where a product has replaced another. */
  readonly years?: readonly [first: number, last: number]
}

export const vaccines = {
  hepbPed: { coding: cvx('08', 'Hep B, adolescent or pediatric'), ageMonths: [0, 1, 6] },
  ipv: { coding: cvx('10', 'IPV'), ageMonths: [2, 4, 6, 48] },
  dtap: { coding: cvx('20', 'DTaP'), ageMonths: [2, 4, 6, 15, 48] },
  hibPrpT: { coding: cvx('48', 'Hib (PRP-T)'), ageMonths: [2, 4, 6, 12] },
  hibPrpOmp: { coding: cvx('49', 'Hib (PRP-OMP)'), ageMonths: [2, 4, 12] },
  rotavirusPentavalent: { coding: cvx('116', 'rotavirus, pentavalent'), ageMonths: [2, 4, 6], years: [2006, Number.POSITIVE_INFINITY] },
  rotavirusMonovalent: { coding: cvx('119', 'rotavirus, monovalent'), ageMonths: [2, 4], years: [2008, Number.POSITIVE_INFINITY] },
  pcv13: { coding: cvx('133', 'Pneumococcal conjugate PCV 13'), ageMonths: [2, 4, 6, 12], years: [2010, 2021] },
  pcvUnspecified: { coding: cvx('152', 'Pneumococcal Conjugate, unspecified formulation') },
  pcv15: { coding: cvx('215', 'Pneumococcal conjugate PCV 15'), ageMonths: [2, 4, 6, 12], years: [2022, 2022] },
  pcv20: { coding: cvx('216', 'Pneumococcal conjugate PCV 20'), ageMonths: [2, 4, 6, 12], years: [2023, Number.POSITIVE_INFINITY] },
  ppsv23: { coding: cvx('33', 'pneumococcal polysaccharide PPV23'), ageMonths: [780], years: [1983, 2021] },
  mmr: { coding: cvx('03', 'MMR'), ageMonths: [12, 48] },
  varicella: { coding: cvx('21', 'varicella'), ageMonths: [12, 48], years: [1995, Number.POSITIVE_INFINITY] },
  mmrv: { coding: cvx('94', 'MMRV'), ageMonths: [48] },
  hepaPed: { coding: cvx('83', 'Hep A, ped/adol, 2 dose'), ageMonths: [12, 18], years: [2006, Number.POSITIVE_INFINITY] },
  tdap: { coding: cvx('115', 'Tdap'), ageMonths: [132], years: [2005, Number.POSITIVE_INFINITY] },
  hpv9: { coding: cvx('165', 'HPV9'), ageMonths: [132, 138], years: [2015, Number.POSITIVE_INFINITY] },
  menacwyD: { coding: cvx('114', 'meningococcal MCV4P'), ageMonths: [132, 192], years: [2005, 2022] },
  menacwyCRM: { coding: cvx('136', 'Meningococcal MCV4O'), ageMonths: [132, 192] },
  menacwyTT: { coding: cvx('203', 'Meningococcal Polysaccharide groups A, C, Y, W-135 TT Conjugate'), ageMonths: [132, 192], years: [2020, Number.POSITIVE_INFINITY] },
  menb4C: { coding: cvx('162', 'Meningococcal B, recombinant'), ageMonths: [192, 193] },
  fluSplitTrivPf: { coding: cvx('140', 'Influenza, split virus, trivalent, PF'), years: [2024, Number.POSITIVE_INFINITY] },
  fluSplitQuadPf: { coding: cvx('150', 'Influenza, split virus, quadrivalent, PF'), years: [2013, 2023] },
  fluHighDoseTriv: { coding: cvx('135', 'Influenza, high dose, trivalent, PF'), years: [2024, Number.POSITIVE_INFINITY] },
  tdAdult: { coding: cvx('113', 'Td (adult) preservative free'), ageMonths: [252, 372, 492, 612, 732, 852] },
  zosterRecombinant: { coding: cvx('187', 'zoster recombinant'), ageMonths: [600, 602], years: [2018, Number.POSITIVE_INFINITY] },
  hepbAdult: { coding: cvx('43', 'Hep B, adult') },
  hepaAdult: { coding: cvx('52', 'Hep A, adult') },
  rsvPrefusionBivalent: { coding: cvx('305', 'RSV, bivalent, protein subunit RSVpreF, diluent reconstituted, 0.5 mL, PF'), ageMonths: [900], years: [2023, Number.POSITIVE_INFINITY] },
  covid19202324Mrna: { coding: cvx('309', 'COVID-19, mRNA, LNP-S, PF, tris-sucrose, 30 mcg/0.3 mL'), years: [2023, 2024] },
} as const satisfies Record<string, VaccineCode>

export type VaccineKey = keyof typeof vaccines
