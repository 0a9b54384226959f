import { document, element, list, oneOf, string, structure } from '../../../core/documents/describe.ts';
import { tasks } from '../upgrade/releases.ts';

const step = structure('UpgradeStepType', {
  task: element(oneOf(...tasks)).required,
  release: element(string).required.says('Release that requires the step.'),
  says: element(string).required,
  of: list(string).says('Subject of the step: indexes, settings, roles, or a job type and a step.'),
  command: element(string).says('How this service does it. Absent if a later step includes it.'),
});

export const upgradePlanDocument = document('UpgradePlanDocument', {
  from: element(string).required,
  to: element(string).required,
  step: list(step),
});
