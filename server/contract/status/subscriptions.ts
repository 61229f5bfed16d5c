/** Emails about the status. */
import { z } from 'zod'
import { emailAddress } from '../text/email-address.ts'
import { type ComponentId, componentIds, isComponentId } from './components.ts'

/** A request whose mail is not answered is forgotten after this. */
export const subscriptionConfirmHours = 72

/** Field of a form for one component. */
export const subscriptionField = (id: ComponentId) => `tell-${id.replaceAll('_', '-')}`

const subscriptionFields = Object.fromEntries(
  componentIds.map((id) => [subscriptionField(id), z.literal('on').optional()]),
)

/** Without a component chosen: all of them, those that come later too. */
export const subscribeForm = z.object({ email: emailAddress, ...subscriptionFields })
export const subscriptionForm = z.object({
  intent: z.enum(['save', 'end']),
  ...subscriptionFields,
})

/** The components of a form, by their fields; none for all of them. */
export function subscribedComponents(form: Readonly<Record<string, unknown>>): ComponentId[] {
  const chosen = componentIds.filter((id) => form[subscriptionField(id)] === 'on')
  return chosen.length === componentIds.length ? [] : chosen
}

/** Whether a subscriber to these components gets notifications about any of those; no components means all. */
export const isTold = (wanted: readonly string[], about: readonly string[]): boolean =>
  wanted.length === 0 || about.some((each) => wanted.includes(each))

/** What is kept, as components; what is there no more is left out. */
export const keptComponents = (stored: readonly string[]): ComponentId[] => stored.filter(isComponentId)
