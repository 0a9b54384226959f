import {
  dateTime,
  document,
  element,
  integer,
  list,
  oneOf,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

const taskOfRunner = structure('RunnerWorkType', {
  type: element(string).required.says('Kind of the work: TRANSCODE, STILLS or PROBE.'),
  job: element(string).required.says('Job whose work it is.'),
  progress: element(integer).required.says('Progress in percent.'),
  started: element(dateTime).required,
});

const runnerType = structure('RunnerType', {
  id: element(string).outputOnly,
  name: element(string).says('Name of the runner, unlike that of others of its user.'),
  user: element(string).outputOnly.says('User by whose token the runner came.'),
  version: element(string),
  protocol: element(integer).says(
    'Version of the calls between runner and service. Another one than that of the service is refused.',
  ),
  label: list(string).max(50).says('Labels that shape tags ask for, such as gpu or site=oslo.'),
  ability: list(string)
    .max(500)
    .says(
      'Words for all that it can do: kind:transcode, container:mp4, video:h264, audio:aac, still:image/jpeg, draws:audio.',
    ),
  state: element(oneOf('ONLINE', 'OFFLINE')).says(
    'OFFLINE: it has not called for 45 seconds. A runner that stops sends it, and is OFFLINE at once.',
  ),
  created: element(dateTime).outputOnly,
  seen: element(dateTime).outputOnly.says('When it last called.'),
  paused: element(dateTime).outputOnly.says('Since when it claims nothing, until an administrator resumes it.'),
  task: list(taskOfRunner).outputOnly.says('Tasks of the runner now.'),
});

export const runnerDocument = document('RunnerDocument', runnerType);
export type Runner = Value<typeof runnerDocument>;

export const runnerListDocument = document('RunnerListDocument', { runner: list(runnerType) });

export const runnerTaskDocument = document('RunnerTaskDocument', {
  id: element(string).required.says('Names this claim of the task. Another claim has another name.'),
  type: element(string).required.says('TRANSCODE, STILLS or PROBE.'),
  order: element(string).required.says('What is to be made, as JSON.'),
  source: element(string).required.says('Address of the media, for GET with ranges.'),
  size: element(integer).required.says('Bytes of the media.'),
  extension: element(string).says('Ending of the name of the media.'),
  target: element(string).says('Address that takes the result by PUT, with its bytes in the header size.'),
  expires: element(dateTime).required.says('When the addresses end. Each renewal of the lease gives new ones.'),
  lease: element(integer).required.says('Seconds until the task is given to another runner, unless it is renewed.'),
});
export type RunnerTask = Value<typeof runnerTaskDocument>;

export const runnerResultDocument = document('RunnerResultDocument', {
  warning: list(string).max(100).says('Defects of the result, as sentences.'),
  probe: element(string).says('Properties of the media, as JSON.'),
  message: element(string).says('Why the task failed.'),
  kind: element(oneOf('unsupported', 'broken', 'exhausted')).says(
    'What the media is to blame for. Without it another runner may try.',
  ),
});
