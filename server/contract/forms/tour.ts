/** The buttons of the tour: as whom to sign in. */
import { z } from 'zod'
import { tourStops } from '../lab/tour.ts'

export const tourForm = z.object({ person: z.enum(tourStops, { error: 'Choose a person.' }) })
