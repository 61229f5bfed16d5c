/** Questionnaires: LOINC questions with their LOINC answer lists (PHQ-9, Hunger Vital Sign, PRAPARE, scores). */
import type { Coding } from '../../server/contract/fhir/codes.ts'
import { loinc } from './systems.ts'

export interface QuestionCode {
  readonly coding: Coding
  /** As it is asked. */
  readonly text: string
  readonly answers?: readonly Coding[]
}

const answersA = [loinc('LA6568-5', 'Not at all'), loinc('LA6569-3', 'Several days'), loinc('LA6570-1', 'More than half the days'), loinc('LA6571-9', 'Nearly every day')] as const
const answersB = [loinc('LA33-6', 'Yes'), loinc('LA32-8', 'No'), loinc('LA30122-8', 'I choose not to answer this question')] as const
const answersC = [loinc('LA30189-7', 'I have housing'), loinc('LA30190-5', 'I do not have housing (staying with others, in a hotel, in a shelter, living outside on the street, on a beach, in a car, or in a park)'), loinc('LA30122-8', 'I choose not to answer this question')] as const
const answersD = [
  loinc('LA17956-6', 'Unemployed'),
  loinc('LA30138-4', 'Part-time or temporary work'),
  loinc('LA30136-8', 'Full-time work'),
  loinc('LA30137-6', 'Otherwise unemployed but not seeking work (ex: student, retired, disabled, unpaid primary care giver)'),
  loinc('LA30122-8', 'I choose not to answer this question'),
] as const
const answersE = [
  loinc('LA30133-5', 'Yes, it has kept me from medical appointments or from getting my medications'),
  loinc('LA30134-3', 'Yes, it has kept me from non-medical meetings, appointments, work, or from getting things that I need'),
  loinc('LA32-8', 'No'),
  loinc('LA30257-2', 'Patient unable to respond'),
] as const
const answersF = [loinc('LA27722-0', 'Less than once a week'), loinc('LA30130-1', '1 or 2 times a week'), loinc('LA30131-9', '3 to 5 times a week'), loinc('LA30132-7', '5 or more times a week'), loinc('LA30122-8', 'I choose not to answer this question')] as const
const answersG = [loinc('LA6568-5', 'Not at all'), loinc('LA13863-8', 'A little bit'), loinc('LA13909-9', 'Somewhat'), loinc('LA13902-4', 'Quite a bit'), loinc('LA13914-9', 'Very much'), loinc('LA30122-8', 'I choose not to answer this question')] as const
const answersH = [loinc('LA28397-0', 'Often true'), loinc('LA6729-3', 'Sometimes true'), loinc('LA28398-8', 'Never true'), loinc('LA15775-2', "Don't know/refused")] as const
const answersI = [loinc('LA19952-3', 'At risk'), loinc('LA19983-8', 'No risk')] as const

export const phq9Questions = [
  { coding: loinc('44250-9', 'Little interest or pleasure in doing things in last 2 weeks'), text: 'Little interest or pleasure in doing things?', answers: answersA },
  { coding: loinc('44255-8', 'Feeling down, depressed, or hopeless in last 2 weeks'), text: 'Feeling down, depressed, or hopeless?', answers: answersA },
  { coding: loinc('44259-0', 'Trouble falling or staying asleep, or sleeping too much'), text: 'Trouble falling or staying asleep, or sleeping too much', answers: answersA },
  { coding: loinc('44254-1', 'Feeling tired or having little energy'), text: 'Feeling tired or having little energy', answers: answersA },
  { coding: loinc('44251-7', 'Poor appetite or overeating'), text: 'Poor appetite or overeating', answers: answersA },
  { coding: loinc('44258-2', 'Feeling bad about yourself-or that you are a failure or have let yourself or your family down'), text: 'Feeling bad about yourself-or that you are a failure or have let yourself or your family down', answers: answersA },
  { coding: loinc('44252-5', 'Trouble concentrating on things, such as reading the newspaper or watching television'), text: 'Trouble concentrating on things, such as reading the newspaper or watching television', answers: answersA },
  {
    coding: loinc('44253-3', 'Moving or speaking so slowly that other people could have noticed. Or the opposite-being so fidgety or restless that you have been moving around a lot more than usual'),
    text: 'Moving or speaking so slowly that other people could have noticed. Or the opposite-being so fidgety or restless that you have been moving around a lot more than usual',
    answers: answersA,
  },
  { coding: loinc('44260-8', 'Thoughts that you would be better off dead, or of hurting yourself in some way'), text: 'Thoughts that you would be better off dead, or of hurting yourself in some way', answers: answersA },
] as const satisfies readonly QuestionCode[]

export const hungerQuestions = [
  { coding: loinc('88122-7', '(I/We) worried whether (my/our) food would run out before (I/we) got money to buy more.'), text: '(I/We) worried whether (my/our) food would run out before (I/we) got money to buy more.', answers: answersH },
  { coding: loinc('88123-5', "The food that (I/we) bought just didn't last, and (I/we) didn't have money to get more."), text: "The food that (I/we) bought just didn't last, and (I/we) didn't have money to get more.", answers: answersH },
  { coding: loinc('88124-3', 'Food insecurity risk [HVS]'), text: 'Food insecurity risk', answers: answersI },
] as const satisfies readonly QuestionCode[]

/** PRAPARE, the part that the practices ask. */
export const prapareQuestions = {
  housing: { coding: loinc('71802-3', 'Housing status'), text: 'Housing status', answers: answersC },
  worriedAboutHousing: { coding: loinc('93033-9', 'Are you worried about losing your housing?'), text: 'Are you worried about losing your housing?', answers: answersB },
  employment: { coding: loinc('67875-5', 'Employment status current'), text: 'Employment status current', answers: answersD },
  transportation: {
    coding: loinc('93030-5', 'Has lack of transportation kept you from medical appointments, meetings, work, or from getting things needed for daily living'),
    text: 'Has lack of transportation kept you from medical appointments, meetings, work, or from getting things needed for daily living?',
    answers: answersE,
  },
  socialContact: {
    coding: loinc('93029-7', 'How often do you see or talk to people that you care about and feel close to (For example: talking to friends on the phone, visiting friends or family, going to church or club meetings)?'),
    text: 'How often do you see or talk to people that you care about and feel close to (For example: talking to friends on the phone, visiting friends or family, going to church or club meetings)?',
    answers: answersF,
  },
  stress: {
    coding: loinc('93038-8', "Stress is when someone feels tense, nervous, anxious or can't sleep at night because their mind is troubled. How stressed are you?"),
    text: "Stress is when someone feels tense, nervous, anxious or can't sleep at night because their mind is troubled. How stressed are you?",
    answers: answersG,
  },
} as const satisfies Record<string, QuestionCode>

export const surveyCodes = {
  prapare: loinc('93025-5', "Protocol for Responding to and Assessing Patients' Assets, Risks, and Experiences [PRAPARE]"),
  householdSize: loinc('63512-8', 'How many people are living or staying at this address?'),
  address: loinc('56799-0', 'Address'),
  hungerVitalSign: loinc('88121-9', 'Hunger Vital Sign [HVS]'),
  phq9: loinc('44249-1', 'PHQ-9 quick depression assessment panel [Reported.PHQ]'),
  phq9Score: loinc('44261-6', 'Patient Health Questionnaire 9 item (PHQ-9) total score [Reported]'),
  phq2: loinc('55757-9', 'Patient Health Questionnaire 2 item (PHQ-2) [Reported]'),
  phq2Score: loinc('55758-7', 'Patient Health Questionnaire 2 item (PHQ-2) total score [Reported]'),
  gad7: loinc('69737-5', 'Generalized anxiety disorder 7 item (GAD-7)'),
  gad7Score: loinc('70274-6', 'Generalized anxiety disorder 7 item (GAD-7) total score [Reported.PHQ]'),
  auditC: loinc('72109-2', 'Alcohol Use Disorder Identification Test - Consumption [AUDIT-C]'),
  auditCScore: loinc('75626-2', 'Total score [AUDIT-C]'),
  dast10Score: loinc('82667-7', 'Total score [DAST-10]'),
  smokingStatus: loinc('72166-2', 'Tobacco smoking status'),
  mmseScore: loinc('72106-8', 'Total score [MMSE]'),
  pregnancyStatus: loinc('82810-3', 'Pregnancy status'),
  pregnancyIntent: loinc('86645-9', 'Pregnancy intention in the next year - Reported'),
  occupation: loinc('11341-5', 'History of Occupation'),
  industry: loinc('86188-0', 'History of Occupation Industry'),
  sexualOrientation: loinc('76690-7', 'Sexual orientation'),
  depressionSeverity: loinc('94023-9', 'Depression severity'),
  cognitiveHistory: loinc('11332-4', 'History of Cognitive Function Narrative'),
  depressionSeverityModerate: loinc('LA6751-7', 'Moderate'),
} as const
