/** Production keys and their agreements, each as far as its story has come. */
import type { Days } from './days.ts'
import {
  amend,
  approve,
  claim,
  confirm,
  counterSign,
  decline,
  negotiate,
  reveal,
  signBaa,
  signUsage,
  story,
  submit,
  terminate,
  withdraw,
} from './production-steps.ts'
import type { Step } from './scene.ts'

/** The production key that is called all month; see calls.ts. */
export const calledProductionKey = 'Larkfield chart sync'

export function productionKeySteps(days: Days): Step[] {
  return [...larkfield(days), ...brightmeadow(days), ...quillhaven(days)].flat()
}

const everyday = ['demographics', 'visits'] as const

function larkfield(days: Days) {
  const of = 'larkfield'
  const sync = story(
    {
      of,
      at: 'harbor',
      name: calledProductionKey,
      why: 'Reads visits and medications every night, so that the reminders of the practice are right.',
      dataClasses: ['demographics', 'visits', 'medications'],
    },
    submit(days.back(46, '10:00')),
    confirm(days.back(45, '11:30')),
    signUsage(days.back(45, '14:00')),
    signBaa(days.back(44, '09:20')),
    counterSign(days.back(43, '10:15')),
    claim(days.back(42, '09:00'), 'rhea'),
    approve(days.back(39, '15:00'), 'rhea'),
    reveal(days.back(38, '10:00')),
    amend(days.back(4, '10:30'), 'The practice changed its address.'),
  )
  const referrals = story(
    {
      of,
      at: 'harbor',
      name: 'Larkfield referral letters',
      why: 'Writes referral letters into the chart after a visit, so that nobody types them twice.',
      level: 'full',
      dataClasses: ['demographics', 'visits', 'notes', 'documents'],
    },
    submit(days.back(4, '13:00')),
  )
  const growth = story(
    {
      of,
      at: 'juniper',
      name: 'Larkfield growth charts',
      why: 'Reads heights and weights, so that growth curves are ready before the visit begins.',
      dataClasses: ['demographics', 'vital_signs'],
    },
    submit(days.back(13, '10:00')),
    confirm(days.back(11, '12:00')),
    signBaa(days.back(6, '16:10')),
  )
  const recall = story(
    {
      of,
      at: 'juniper',
      name: 'Larkfield recall lists',
      why: 'Makes lists of children who are due for a checkup, for the front desk to call.',
      dataClasses: everyday,
    },
    submit(days.back(43, '15:00')),
    confirm(days.back(41, '10:00')),
  )
  return [sync, referrals, growth, recall]
}

function brightmeadow(days: Days) {
  const of = 'brightmeadow'
  const reminders = story(
    {
      of,
      at: 'harbor',
      name: 'Brightmeadow visit reminders',
      why: 'Reminds patients of their visits by text message, in the language that they speak.',
      dataClasses: everyday,
    },
    submit(days.business(9, '10:00')),
    confirm(days.business(8, '09:30')),
    signUsage(days.business(7, '10:00')),
    signBaa(days.business(6, '10:00')),
    counterSign(days.business(3, '14:20')),
  )
  const vaccines = story(
    {
      of,
      at: 'juniper',
      name: 'Brightmeadow vaccine reminders',
      why: 'Reminds families of vaccinations that are due, in time to make an appointment.',
      dataClasses: ['demographics', 'immunizations'],
    },
    submit(days.business(5, '10:00')),
    confirm(days.business(4, '16:00')),
  )
  const intake = story(
    {
      of,
      at: 'harbor',
      name: 'Brightmeadow intake forms',
      why: 'Files the answers of intake forms in the chart, before the patient is called in.',
      level: 'full',
      dataClasses: ['demographics', 'allergies', 'medications'],
    },
    submit(days.business(6, '11:00')),
    confirm(days.business(5, '11:00')),
    negotiate(
      days.business(2, '13:00'),
      'We need to hear of a breach within a day, and no data may leave the country.',
      { breachNoticeHours: '24', offshore: 'none' },
    ),
  )
  const history = story(
    {
      of,
      at: 'juniper',
      name: 'Brightmeadow chart import',
      why: 'Imports charts once, when a family moves to the practice from somewhere else.',
      dataClasses: ['demographics', 'problems', 'medications'],
    },
    submit(days.business(6, '15:00')),
    confirm(days.business(5, '15:00')),
    withdraw(days.business(2, '09:00')),
  )
  return [reminders, vaccines, intake, history]
}

function quillhaven(days: Days) {
  const of = 'quillhaven'
  const old = story(
    {
      of,
      at: 'juniper',
      name: 'Quillhaven survey export',
      why: 'Reads visits of a quarter for a survey that the practice has asked us to run.',
      dataClasses: everyday,
    },
    submit(days.back(46, '12:00')),
    confirm(days.back(45, '12:30')),
    signUsage(days.back(45, '16:00')),
    signBaa(days.back(44, '12:00')),
    counterSign(days.back(42, '12:00')),
    claim(days.back(41, '12:00'), 'tomas'),
    approve(days.back(40, '12:00'), 'tomas'),
    reveal(days.back(40, '13:00')),
    amend(days.back(36, '10:00'), 'The survey asks about one quarter more.'),
    signBaa(days.back(36, '10:05')),
    counterSign(days.back(35, '17:30')),
    terminate(days.back(9, '11:00'), 'The survey is finished, and so is the need for the data.'),
  )
  const population = story(
    {
      of,
      at: 'harbor',
      name: 'Quillhaven population report',
      why: 'Counts patients by condition and age, for the yearly report of the practice.',
      dataClasses: ['demographics', 'problems'],
    },
    submit(days.back(6, '09:00')),
  )
  const research = story(
    {
      of,
      at: 'juniper',
      name: 'Quillhaven research extract',
      why: 'Reads results of the last ten years to train a model that predicts missed visits.',
      purposes: ['quality'],
      dataClasses: ['results', 'visits'],
    },
    submit(days.back(20, '10:00')),
    decline(days.back(18, '10:00'), 'We do not give data away for the training of models.'),
  )
  return [old, population, research]
}
