import { choice, flag, type QueryOf, repeated } from '../../http/parameters/index.ts';

const priorities = ['immediate', 'highest', 'high', 'medium', 'low', 'lowest'] as const;

/** Query parameters of all routes that start jobs. */
export const jobParameters = {
  priority: choice(
    'Priority of the job. IMMEDIATE and HIGHEST need the role _job_write. Default: that of its type, or else medium',
    priorities,
  ),
  jobmetadata: repeated('Data of the job: key=value, percent-encoded'),
  notification: repeated('Placeholder notification for events of the job'),
  holdJob: flag('The job is on HOLD until PUT /job/{id}?status=READY', false),
  resourceTag: repeated('Preferred place of the job, stored in its data'),
  notificationData: repeated('Data for the notification: key=value, percent-encoded'),
};

export type JobQuery = QueryOf<typeof jobParameters>;
