import { type SubscriptionTopic, subscriptionTopics } from '../../../server/contract/status/subscriptions.ts'

const labels: Record<SubscriptionTopic, string> = {
  status: 'Status: outages, incidents and maintenance',
  changelog: 'Changelog: changes to the APIs',
}

/** What a subscription is about. */
export function TopicChecks({ chosen }: { chosen: readonly SubscriptionTopic[] }) {
  return (
    <fieldset className="choices">
      <legend>Which emails?</legend>
      <p className="small muted">Choose none to unsubscribe.</p>
      {subscriptionTopics.map((topic) => (
        <label className="check" key={topic}>
          <input type="checkbox" name={topic} value="on" defaultChecked={chosen.includes(topic)} />
          <span>{labels[topic]}</span>
        </label>
      ))}
    </fieldset>
  )
}
