/** Stories that together have every element that clients must support. */
import { hungerQuestions, prapareQuestions, procedures, surveyCodes, terms } from '../codes/codes.ts'
import { addDays, weekday } from '../people/calendar.ts'
import { practitionerRoleId } from '../resources/practice.ts'
import { recordSmoking, screen } from '../stories/care.ts'
import type { Story } from '../stories/story.ts'
import type { Chart, Visit } from '../timeline/chart.ts'
import { orderLab, recordElectrocardiogram, takeVitals } from '../timeline/examinations.ts'
import { writeNote, writeStudy } from '../timeline/notes.ts'
import { askHunger, askPhq9, askPrapare, recordScore } from '../timeline/surveys.ts'

/** A care team with all kinds of members, an implant, a refused vaccine, reported medications, and corrected entries. */
export const showcaseCare: Story = {
  name: 'showcase of care',
  tell: (chart) => {
    const { until, person, clinicianId, specialists } = chart.subject
    const visit = chart.visit({ date: weekday(addDays(until, -60)) })
    const { date } = visit
    const { name, phone } = person.nextOfKin ?? {}
    const helper = chart.add({
      kind: 'relatedPerson',
      at: date,
      relationship: terms.relationships.child,
      name: name ?? { use: 'official', family: 'Samplewood', given: ['Iris'] },
      telecom: [{ system: 'phone', use: 'mobile', value: phone ?? '(207) 555-0103' }],
      addresses: person.addresses.slice(0, 1),
    })
    visit.add({
      kind: 'careTeam',
      name: 'Team for the knee',
      status: 'active',
      members: [
        { role: terms.careTeamRoles.primaryCare, clinicianRoleId: practitionerRoleId(clinicianId) },
        { role: terms.careTeamRoles.cardiologist, clinicianId: specialists.get('cardiology') ?? '' },
        { role: terms.careTeamRoles.caregiver, related: helper },
      ],
    })
    chart.add({
      kind: 'device',
      at: date,
      type: terms.deviceTypes.knee,
      name: 'Knee joint prosthesis',
      lot: '7654321D',
      serial: '10987654D321',
      made: '2019-03-01',
      expires: '2029-03-01',
    })
    const refused = terms.immunizationReasons.objection
    visit.add({ kind: 'immunization', vaccine: 'rsvPrefusionBivalent', refused, seen: true })
    chart.add({ kind: 'immunization', at: '2012-09-14', vaccine: 'ppsv23', seen: false })
    const reason = { coding: terms.deviceTypes.knee }
    chart.drug('ibuprofen-200', { from: date, visit, reported: 'patient', reason })
    chart.drug('aspirin-81', {
      from: addDays(date, -400),
      reported: 'clinician',
      until: addDays(date, -40),
    })
    chart.drug('hydrocortisone-cream', { from: date, visit, listed: true })
    chart.problem('contact-dermatitis', { onset: date, role: 'diagnosis', visit })
    chart.problem('gout', { onset: addDays(date, -20), visit, verification: 'mistaken' })
    const code = procedures.alcoholCounseling
    const basedOn = visit.add({
      kind: 'order',
      code,
      category: terms.orderCategories.counselling,
      reason: { coding: procedures.auditC },
      status: 'revoked',
    })
    visit.add({ kind: 'procedure', code, basedOn, status: 'not-done' })
    orderLab(chart, visit, 'urineNitrite', { words: { urineNitrite: 'negative' }, specimen: 'urine' })
    orderLab(chart, visit, 'crp', { texts: { crp: 'Hemolyzed sample; not measured.' } })
  },
}

/** The eight kinds of notes that US Core requires, and every kind of stored file. */
export const showcaseDocuments: Story = {
  name: 'showcase of documents',
  tell: (chart) => {
    const cardiology = chart.visit({
      date: weekday(addDays(chart.subject.until, -240)),
      by: 'cardiology',
      type: terms.encounterTypes.problem,
      reason: { coding: terms.clinicalResults.ecgImpression },
      minutes: 40,
    })
    recordElectrocardiogram(chart, cardiology)
    writeNote(cardiology, {
      type: 'consult',
      title: 'Cardiology consult',
      text: 'Asked about palpitations. Regular rhythm, no murmur. The electrocardiogram is normal.\nNo further tests needed.',
    })
    admission(chart)
    examinations(chart)
  },
}

function admission(chart: Chart): void {
  const ago = (days: number) => addDays(chart.subject.until, -days)
  const condition = chart.problem('pneumonia', { onset: ago(153), abated: ago(120) })
  const visit = chart.visit({
    date: ago(150),
    type: terms.encounterTypes.admission,
    class: terms.encounterClasses.inpatient,
    reason: { condition },
    minutes: 720,
    discharge: terms.dischargeDispositions.home,
    feverish: true,
  })
  takeVitals(chart, visit, { oxygen: { flow: 2, concentration: 28 } })
  writeNote(visit, {
    type: 'historyAndPhysical',
    title: 'History and physical on admission',
    text: 'Cough and fever for three days. Crackles at the right base. Oxygen by mask, 2 litres a minute.\nPlan: antibiotic, oxygen, chest film.',
    file: 'text',
  })
  const { imaging } = terms.observationCategories
  const finding = visit.observe('clinicalResult', imaging, terms.clinicalResults.radiologyFinding, {
    value: { text: 'Opacity in the right lower lobe. Heart of normal size.' },
  })
  writeStudy(visit, {
    type: 'imaging',
    title: 'Chest film',
    category: 'radiology',
    code: terms.clinicalResults.chestXray,
    results: [finding],
    conclusion: 'Right lower lobe pneumonia.',
    text: 'Opacity in the right lower lobe.',
    file: 'png',
  })
  chart.drug('amox-clav-875', { from: visit.date, visit })
  writeNote(visit, {
    type: 'discharge',
    title: 'Discharge summary',
    text: 'Admitted with pneumonia of the right lower lobe; better on the second day. Antibiotic for ten days by mouth.\nSee the practice in a week.',
    file: 'ccda',
  })
}

function examinations(chart: Chart): void {
  const visit = chart.visit({ date: weekday(addDays(chart.subject.until, -90)) })
  screen(visit, 'colonoscopy')
  writeNote(visit, {
    type: 'procedure',
    title: 'Colonoscopy',
    text: 'Sedation, scope passed to the cecum. One small polyp in the rectum, removed and sent to pathology.',
  })
  screen(visit, 'polypectomy')
  chart.problem('polyp-of-colon', { onset: visit.date, role: 'diagnosis', visit, abated: visit.date })
  const finding = visit.observe('lab', terms.observationCategories.laboratory, terms.noteTypes.pathology, {
    value: { text: 'Hyperplastic polyp, 4 mm, removed whole. No dysplasia.' },
  })
  writeStudy(visit, {
    type: 'pathology',
    title: 'Pathology of the polyp',
    category: 'pathology',
    code: terms.noteTypes.pathology,
    results: [finding],
    conclusion: 'Hyperplastic polyp without dysplasia.',
    text: 'One fragment of 4 mm. Hyperplastic polyp, margins free, no dysplasia.',
  })
  writeNote(visit, {
    type: 'laboratory',
    title: 'Laboratory report from elsewhere',
    text: 'Copy of results that the hospital sent; see the discharge summary.',
    status: 'superseded',
  })
  const reason = { coding: terms.encounterTypes.followUp }
  visit.add({ kind: 'procedure', end: visit.end, code: procedures.medicationReconciliation, reason })
}

/** All kinds of screenings, social history and simple findings, with all kinds of values. */
export const showcaseScreenings: Story = {
  name: 'showcase of screenings',
  tell: (chart) => {
    const visit = chart.visit({ date: weekday(addDays(chart.subject.until, -30)), minutes: 60 })
    const { cognitive, disability, functional, sdoh } = terms.screeningCategories
    takeVitals(chart, visit, { pressureAbsent: true })
    recordSmoking(chart, visit)
    askPhq9(chart, visit, 9, { screening: disability, items: true })
    askHunger(visit, true, { items: true })
    askPrapare(visit, { transportation: 1, stress: 2 }, { items: true })
    const score = (value: number) => ({ quantity: { value, unit: '{score}' } })
    recordScore(visit, surveyCodes.mmseScore, score(28), { screening: cognitive })
    recordScore(visit, surveyCodes.auditCScore, score(2))
    const household = { text: 'Manages the household alone.' }
    recordScore(visit, surveyCodes.cognitiveHistory, household, { screening: functional })
    visit.observe('occupation', terms.observationCategories.socialHistory, surveyCodes.occupation, {
      since: '2009-02-01',
      value: { codings: [terms.occupations.nursingAssistant] },
      components: [{ code: surveyCodes.industry, value: { codings: [terms.industries.homeNursing] } }],
    })
    visit.observe(
      'sexualOrientation',
      terms.observationCategories.socialHistory,
      surveyCodes.sexualOrientation,
      {
        value: { codings: [terms.sexualOrientations.heterosexual] },
      },
    )
    simpleFindings(visit)
    nestedAnswers(visit)
    const condition = chart.problem('transport-insecurity', {
      onset: visit.date,
      role: 'concern',
      visit,
      screening: sdoh,
      assertedOnly: true,
    })
    visit.add({
      kind: 'order',
      until: addDays(visit.date, 60),
      code: terms.sdohFindings.transportTooExpensive,
      text: 'Help with the way to appointments',
      category: sdoh,
      reason: { condition },
      status: 'active',
    })
  },
}

function simpleFindings(visit: Visit): void {
  const { cognitive, disability, functional, sdoh } = terms.screeningCategories
  const household = visit.observe('simple', sdoh, surveyCodes.householdSize, {
    value: { quantity: { value: 1, unit: '{#}' } },
  })
  visit.observe('simple', sdoh, terms.sdohFindings.transportTooExpensive, {
    value: { boolean: true },
    derivedFrom: [household],
  })
  visit.observe('simple', disability, surveyCodes.depressionSeverity, {
    value: { codings: [surveyCodes.depressionSeverityModerate] },
  })
  visit.observe('simple', cognitive, surveyCodes.cognitiveHistory, {
    value: { text: 'Alert and oriented. Manages money and shopping alone.' },
  })
  visit.observe('simple', functional, surveyCodes.dast10Score, { absent: terms.absentReasons.unknown })
}

/** Groups, follow-up questions, and all kinds of answers. */
function nestedAnswers(visit: Visit): void {
  const [worried] = hungerQuestions
  const { housing } = prapareQuestions
  visit.add({
    kind: 'answers',
    questionnaire: terms.questionnaires.prapare,
    uri: 'https://sandpiper.example/forms/intake',
    title: 'Intake form',
    items: [
      {
        linkId: 'home',
        text: 'Home and family',
        items: [
          { linkId: 'home.size', text: surveyCodes.householdSize.display, decimal: 1 },
          {
            linkId: 'home.housing',
            text: housing.text,
            coding: housing.answers[0],
            followUps: [{ linkId: 'home.housing.since', text: 'Since when?', string: 'Since 2019' }],
          },
        ],
      },
      {
        linkId: 'food',
        text: worried?.text ?? '',
        coding: worried?.answers[1],
        followUps: [{ linkId: 'food.when', text: 'When?', string: 'In winter' }],
      },
      { linkId: 'anything', text: 'Anything else?', string: 'I would like to walk to the harbor again.' },
    ],
  })
}
