/** Apps in every state, as the people of the month register and review them. */
import { registrationTimes } from '../../server/contract/workflows/registration-workflow.ts'
import {
  type App,
  answer,
  approve,
  ask,
  backend,
  claim,
  clinician,
  draft,
  enable,
  failToEnable,
  note,
  reject,
  retire,
  story,
  submit,
  suspend,
  type Told,
  verify,
  withdraw,
} from './app-steps.ts'
import type { Days } from './days.ts'
import type { Who } from './people.ts'
import type { Step } from './scene.ts'

/** From the draft to enabled, in five business days. */
function enabled(days: Days, submittedBack: number, by: Who): Told[] {
  return [
    draft(days.business(submittedBack + 2, '10:20')),
    submit(days.business(submittedBack, '11:05')),
    claim(days.business(submittedBack - 1, '09:40'), by),
    verify(days.business(submittedBack - 1, '10:15'), by),
    approve(days.business(submittedBack - 3, '15:30'), by),
    enable(days.business(submittedBack - 3, '15:31')),
  ]
}

export function appSteps(days: Days): Step[] {
  return [...larkfield(days), ...brightmeadow(days), ...quillhaven(days)]
}

function larkfield(days: Days): Step[] {
  const of = 'larkfield'
  const growth: App = {
    of,
    name: 'Larkfield Growth Curves',
    description: 'Draws the growth of a child from the chart, for the clinician who has it open.',
    form: clinician,
  }
  const diary: App = {
    of,
    name: 'Larkfield Sugar Diary',
    description: 'Shows people their own glucose results over the months, with what changed in between.',
  }
  const lab: App = {
    of,
    name: 'Larkfield Lab Explainer',
    description: 'Explains each laboratory result of a patient in everyday words, with its trend.',
  }
  const visits: App = {
    of,
    name: 'Larkfield Visit Planner',
    description:
      'Helps people prepare for a visit: questions, medications, and what happened since the last.',
  }
  const reminder: App = {
    of,
    name: 'Larkfield Pill Reminder',
    description: 'Reminds people of the medications on their list, at the hours that they choose.',
  }
  return [
    ...story(growth, ...enabled(days, 20, 'rhea')),
    ...story(
      diary,
      draft(days.business(8, '14:10'), 'milo'),
      submit(days.business(7, '10:30')),
      claim(days.business(6, '09:15'), 'tomas'),
      verify(days.business(6, '11:00'), 'tomas'),
      ask(
        days.business(2, '15:45'),
        'tomas',
        'scope_unexplained',
        'The app shows glucose results, and asks for all observations. Tell us what the others are for, or name the category.',
      ),
    ),
    ...story(
      lab,
      draft(days.business(5, '16:00')),
      submit(days.business(4, '09:50')),
      claim(days.business(2, '10:05'), 'rhea'),
      note(
        days.business(2, '10:40'),
        'rhea',
        'The privacy policy names the app. Contacts answered within an hour.',
      ),
    ),
    ...story(visits, draft(days.business(1, '17:20'), 'milo')),
    ...story(
      reminder,
      draft(days.business(16, '13:00')),
      submit(days.business(15, '13:30')),
      withdraw(days.business(14, '09:00')),
    ),
  ]
}

function brightmeadow(days: Days): Step[] {
  const of = 'brightmeadow'
  const portal: App = {
    of,
    name: 'Brightmeadow Family Hub',
    description: 'One place for a family: visits, vaccinations and results of everybody in the household.',
  }
  const kiosk: App = {
    of,
    name: 'Brightmeadow Check-in',
    description: 'Lets patients check in at the front desk, and corrects their address and coverage.',
    form: clinician,
  }
  const circle: App = {
    of,
    name: 'Brightmeadow Care Circle',
    description: 'Shares what a patient chooses with the relatives and neighbors who help at home.',
  }
  const sleep: App = {
    of,
    name: 'Brightmeadow Sleep Log',
    description: 'Keeps a diary of sleep beside the medications and diagnoses of the chart.',
  }
  const messenger: App = {
    of,
    name: 'Brightmeadow Messenger',
    description: 'Sends short messages between patients and the practice that knows them.',
  }
  return [
    ...story(portal, ...enabled(days, 17, 'tomas')),
    // Nobody has claimed it, and its five business days are over.
    ...story(kiosk, draft(days.business(9, '11:00')), submit(days.business(6, '16:20'))),
    ...story(
      circle,
      draft(days.business(14, '10:00')),
      submit(days.business(13, '10:30')),
      claim(days.business(12, '09:10'), 'rhea'),
      verify(days.business(12, '09:45'), 'rhea'),
      reject(
        days.business(10, '14:00'),
        'rhea',
        'tomas',
        'misleads',
        'The description says that relatives read what the patient chooses; the screens show the whole record to each of them.',
      ),
    ),
    ...story(
      sleep,
      ...enabled(days, 21, 'tomas'),
      suspend(
        days.business(6, '12:10'),
        'It sends far more requests than a diary of sleep needs, at all hours.',
        'Activity log of the last three days: 40,000 searches, the same patients each minute.',
      ),
    ),
    // Asked once, and never heard of again: withdrawn after thirty silent days.
    ...story(
      messenger,
      draft(days.back(41, '10:00')),
      submit(days.back(40, '10:30')),
      claim(days.back(39, '11:00'), 'tomas'),
      ask(
        days.back(38, '15:00'),
        'tomas',
        'description_unclear',
        'Say who at the practice reads the messages, and what happens with urgent ones.',
      ),
    ),
  ]
}

function quillhaven(days: Days): Step[] {
  const of = 'quillhaven'
  const quality: App = {
    of,
    name: 'Quillhaven Quality Measures',
    description: 'Computes the practice’s quality measures at night from conditions and observations.',
    form: backend,
  }
  const cohort: App = {
    of,
    name: 'Quillhaven Cohort Finder',
    description: 'Finds patients who are due for a screening, for the care team that calls them.',
    form: clinician,
  }
  const trial: App = {
    of,
    name: 'Quillhaven Trial Match',
    description: 'Tells patients which clinical studies near them might fit their diagnoses.',
  }
  const feed: App = {
    of,
    name: 'Quillhaven Registry Feed',
    description: 'Reported immunizations to the registry of the state until the practices did so themselves.',
    form: backend,
  }
  return [
    ...story(
      quality,
      draft(days.business(9, '09:30')),
      submit(days.business(8, '10:00')),
      claim(days.business(7, '10:00'), 'rhea'),
      verify(days.business(7, '10:20'), 'rhea'),
      approve(days.business(5, '16:30'), 'rhea'),
      ...attempts(days.business(5, '16:31')).map(failToEnable),
    ),
    ...story(
      cohort,
      draft(days.business(7, '15:00')),
      submit(days.business(6, '15:20')),
      claim(days.business(5, '09:00'), 'tomas'),
      verify(days.business(5, '09:40'), 'tomas'),
      ask(
        days.business(4, '13:00'),
        'tomas',
        'redirect_unclear',
        'Tell us whose address the redirect URI is: it is not on the website.',
      ),
      answer(days.business(2, '11:30'), 'It is ours: the app runs below our own domain, at /cohort-finder.'),
    ),
    ...story(trial, draft(days.business(2, '09:00')), submit(days.business(1, '10:45'))),
    ...story(
      feed,
      ...enabled(days, 24, 'rhea'),
      suspend(
        days.business(9, '10:00'),
        'Quillhaven asked us to stop it: the practices report to the registry themselves now.',
        'Email of its owner to operations.',
      ),
      retire(days.business(8, '10:00'), 'Its owner confirmed that nobody uses it any more.'),
    ),
  ]
}

/** When the server tries to enable an app that it does not reach. */
function attempts(first: Date): Date[] {
  const { probeAttempts, probeEveryMinutes } = registrationTimes
  return Array.from(
    { length: probeAttempts },
    (_, index) => new Date(first.getTime() + index * probeEveryMinutes * 60_000),
  )
}
