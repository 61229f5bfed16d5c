/** Allergens and reactions: RxNorm and SNOMED CT. */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { rxnorm, snomed } from './systems.ts'

interface AllergenCode {
  readonly coding: Coding
  readonly category: 'medication' | 'food' | 'environment'
  readonly criticality: 'low' | 'high'
}

export const allergens = {
  penicillinV: { coding: rxnorm('7984', 'Penicillin V'), category: 'medication', criticality: 'high' },
  aspirin: { coding: rxnorm('1191', 'Aspirin'), category: 'medication', criticality: 'low' },
  ibuprofen: { coding: rxnorm('5640', 'Ibuprofen'), category: 'medication', criticality: 'low' },
  sulfamethoxazole: { coding: rxnorm('10831', 'Sulfamethoxazole / Trimethoprim'), category: 'medication', criticality: 'high' },
  lisinopril: { coding: rxnorm('29046', 'Lisinopril'), category: 'medication', criticality: 'low' },
  cephalexin: { coding: rxnorm('2231', 'Cephalexin'), category: 'medication', criticality: 'low' },
  cefdinir: { coding: rxnorm('25037', 'cefdinir'), category: 'medication', criticality: 'low' },
  peanut: { coding: snomed('762952008', 'Peanut (substance)'), category: 'food', criticality: 'high' },
  treeNut: { coding: snomed('442571000124108', 'Tree nut (substance)'), category: 'food', criticality: 'high' },
  shellfish: { coding: snomed('735029006', 'Shellfish (substance)'), category: 'food', criticality: 'high' },
  eggs: { coding: snomed('102263004', 'Eggs (edible) (substance)'), category: 'food', criticality: 'low' },
  milk: { coding: snomed('3718001', "Cow's milk (substance)"), category: 'food', criticality: 'low' },
  wheat: { coding: snomed('412071004', 'Wheat (substance)'), category: 'food', criticality: 'low' },
  fish: { coding: snomed('735971005', 'Fish (substance)'), category: 'food', criticality: 'low' },
  treePollen: { coding: snomed('782576004', 'Tree pollen (substance)'), category: 'environment', criticality: 'low' },
  grassPollen: { coding: snomed('256277009', 'Grass pollen (substance)'), category: 'environment', criticality: 'low' },
  animalDander: { coding: snomed('264287008', 'Animal dander (substance)'), category: 'environment', criticality: 'low' },
  dustMite: { coding: snomed('260147004', 'House dust mite (organism)'), category: 'environment', criticality: 'low' },
  mold: { coding: snomed('84489001', 'Mold (organism)'), category: 'environment', criticality: 'low' },
  latex: { coding: snomed('111088007', 'Latex (substance)'), category: 'environment', criticality: 'high' },
  beeVenom: { coding: snomed('288328004', 'Bee venom (substance)'), category: 'environment', criticality: 'high' },
} as const satisfies Record<string, AllergenCode>

export type AllergenKey = keyof typeof allergens

export const noKnownAllergy = snomed('716186003', 'No known allergy (situation)')

export const reactions = {
  wheal: snomed('247472004', 'Wheal (finding)'),
  rash: snomed('271807003', 'Eruption of skin (disorder)'),
  anaphylaxis: snomed('39579001', 'Anaphylaxis (disorder)'),
  cough: snomed('49727002', 'Cough (finding)'),
  dyspnea: snomed('267036007', 'Dyspnea (finding)'),
  diarrhea: snomed('62315008', 'Diarrhea (finding)'),
  nausea: snomed('422587007', 'Nausea (finding)'),
  sneezing: snomed('76067001', 'Sneezing (finding)'),
  rhinoconjunctivitis: snomed('878820003', 'Rhinoconjunctivitis (disorder)'),
  chill: snomed('43724002', 'Chill (finding)'),
  itching: snomed('418290006', 'Itching (finding)'),
  angioedema: snomed('402387002', 'Allergic angioedema (disorder)'),
  vomiting: snomed('300359004', 'Finding of vomiting (finding)'),
} as const

export type ReactionKey = keyof typeof reactions
