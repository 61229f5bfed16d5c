/**
 * Whether the person who agreed still has the role they agreed in, as a condition on portal."grant" `g`: a clinician of the practice,
 * or the patient's own or a parent's login there. A backend system's grant is nobody's.
 */
export const personAtPracticeSql = `(CASE g.audience
  WHEN 'backend' THEN true
  WHEN 'clinician' THEN EXISTS (
    SELECT 1 FROM portal.practice_membership pm
    WHERE pm.practice_id = g.practice_id AND pm.account_id = g.account_id AND pm.role = 'clinician')
  ELSE EXISTS (
    SELECT 1 FROM portal.patient_login pl
    WHERE pl.practice_id = g.practice_id AND pl.account_id = g.account_id
      AND pl.patient_id = COALESCE(g.patient_id, pl.patient_id)) END)`
