import {
  attribute,
  decimal,
  document,
  element,
  integer,
  list,
  string,
  structure,
  type Value,
} from '../../core/documents/describe.ts';

/** The most values of a waveform. */
export const maxValues = 4000;

export const waveformDataDocument = document('WaveformDataDocument', {
  value: list(
    structure('WaveformValueType', {
      data: list(decimal).max(maxValues).says('The largest amplitude of each part: from 0 to 1, or in decibels.'),
      stream: element(integer).says('Number of the audio stream, from 0.'),
      channel: element(integer).says('Number of the channel in its stream, from 0.'),
      itemTrack: element(string),
      fileId: list(string),
      filePath: list(string).says('Absent: shapes have the addresses of files.'),
    }),
  ),
});

export const loudnessDocument = document('LoudnessDocument', {
  id: element(string),
  shape: element(string),
  shapeTag: element(string),
  mix: list(
    structure('LoudnessMixType', {
      name: element(string).says('Kept of the request.'),
      weightdB: element(decimal).says('Weight of the channel, from -60 to 60. Default: 0.'),
      sourceItemTrack: element(string).says('The stream by its track, such as A1.'),
      sourceStream: element(integer).says('The stream, from 0. It comes before its track.'),
      sourceChannel: element(integer).says('The channel of the stream, from 0. Default: all.'),
    }),
  ),
  start: element(string).says('Start of the part, as a time code. It counts in steps of 100 ms.'),
  end: element(string).says('End of the part.'),
  startLoudness: element(string).says('Start of the part for the loudness alone. Default: that of the part.'),
  endLoudness: element(string).says('End of the part for the loudness alone.'),
  startRange: element(string).says('Start of the part for the range alone. Default: that of the part.'),
  endRange: element(string).says('End of the part for the range alone.'),
  loudnessLU: element(decimal).says('The integrated loudness by EBU R 128, in LUFS. Silence has none.'),
  loudnessRangeLU: element(decimal).says('The loudness range by EBU Tech 3342, in LU.'),
});
export type Loudness = Value<typeof loudnessDocument>;

const threshold = { threshold: element(decimal) };
const detection = structure('AnalyzeDetectionType', {
  ...threshold,
  percentage: element(integer),
  time: element(decimal),
});
const presets = structure('AnalyzePresetsType', { otif: list(string) });

/** Analysis request. The service measures sound, and reports the rest as not detected. */
export const analyzeJobDocument = document('AnalyzeJobDocument', {
  black: element(detection),
  bars: element(detection),
  freeze: element(detection),
  channel: list(
    structure('AnalyzeAudioChannelType', {
      tone: list(decimal),
      stream: attribute(integer),
      channel: attribute(integer),
      thresh: attribute(decimal),
    }),
  ),
  audio: element(presets),
  video: element(presets),
});
