/** Withheld patients of whom the practice has no chart, for lists. */
import type { TestServices } from './services.ts'

export async function addWithheldRows(
  { prisma, clock }: Pick<TestServices, 'prisma' | 'clock'>,
  { practiceId, by, count }: { practiceId: string; by: string; count: number },
): Promise<void> {
  await prisma.withheldPatient.createMany({
    data: Array.from({ length: count }, (_, place) => ({
      practiceId,
      patientId: `pt-gone-${place}`,
      reason: 'Asked for it at the desk.',
      startedAt: clock(),
      startedById: by,
    })),
  })
}
