/** Assessment Scale Observation (22.4.69) for every survey, and for what is told of abilities. */
import { functional, type Observation, of, social } from '../observations.ts'
import { refOf, type Section } from '../section.ts'
import { assessmentScale, observationCells } from './assessment.ts'

export const functionalStatus: Section = {
  columns: ['Question', 'Answer', 'Date'],
  nothing: 'No information on functional status.',
  async *items(chart) {
    // Surveys of social needs belong to the social history.
    const criteria = [of(functional), of(social, { negated: true })]
    for await (const observation of chart.read<Observation>('Observation', criteria)) {
      const ref = refOf('functionalStatus', observation)
      yield {
        rows: [{ ref, cells: observationCells(observation) }],
        entry: () => assessmentScale(chart, observation, ref),
      }
    }
  },
}
