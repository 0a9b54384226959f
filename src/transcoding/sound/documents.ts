import { attribute, decimal, document, element, integer, list, string, structure } from '../../documents/describe.ts';

/** The most values of a waveform. */
export const mostValues = 4000;

export const waveformDataDocument = document('WaveformDataDocument', {
  value: list(
    structure('WaveformValueType', {
      data: list(decimal).most(mostValues).says('The largest amplitude of each part: from 0 to 1, or in decibels.'),
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
      name: element(string),
      weightdB: element(decimal).says('Weight of the channel.'),
      sourceItemTrack: element(string),
      sourceStream: element(integer),
      sourceChannel: element(integer),
    }),
  ),
  start: element(string),
  end: element(string),
  startLoudness: element(string),
  endLoudness: element(string),
  startRange: element(string),
  endRange: element(string),
  loudnessLU: element(decimal).says('The integrated loudness by EBU R 128, in LUFS. Silence has none.'),
  loudnessRangeLU: element(decimal).says('The loudness range by EBU Tech 3342, in LU.'),
});

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
