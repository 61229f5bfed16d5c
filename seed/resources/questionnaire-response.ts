/** https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-questionnaireresponse.html */
import type {
  QuestionnaireResponse,
  QuestionnaireResponseItem,
  QuestionnaireResponseItemAnswer,
} from 'fhir/r4.js'
import { extensionUrls, namingSystems, profiles } from '../codes/codes.ts'
import type { AnswerItem, AnswersEvent } from '../timeline/events.ts'
import { type Context, clinicalMeta, encounterOf, practitioner, subject } from './clinical-elements.ts'

export function questionnaireResponseResource(event: AnswersEvent, context: Context): QuestionnaireResponse {
  return {
    resourceType: 'QuestionnaireResponse',
    id: context.id,
    meta: clinicalMeta(profiles.questionnaireResponse, event.sensitive),
    identifier: { system: namingSystems.answers, value: context.id.toUpperCase() },
    questionnaire: event.questionnaire,
    _questionnaire: {
      extension: [
        { url: extensionUrls.questionnaireDisplay, valueString: event.title },
        ...(event.uri ? [{ url: extensionUrls.questionnaireUri, valueUri: event.uri }] : []),
      ],
    },
    status: 'completed',
    subject: subject(context),
    ...encounterOf(event, context),
    authored: event.at,
    author: practitioner(context.clinicianId),
    item: event.items.map(item),
  }
}

function item({ linkId, text, items, ...answered }: AnswerItem): QuestionnaireResponseItem {
  const given = answer(answered)
  return {
    linkId,
    text,
    ...(given ? { answer: [given] } : {}),
    ...(items ? { item: items.map(item) } : {}),
  }
}

function answer({
  coding,
  decimal,
  string,
  followUps,
}: Omit<AnswerItem, 'linkId' | 'text'>): QuestionnaireResponseItemAnswer | undefined {
  const more = followUps ? { item: followUps.map(item) } : {}
  if (coding) return { valueCoding: { ...coding }, ...more }
  if (decimal !== undefined) return { valueDecimal: decimal, ...more }
  return string === undefined ? undefined : { valueString: string, ...more }
}
