import {
  attribute,
  boolean,
  document,
  element,
  integer,
  list,
  string,
  structure,
} from '../../../core/documents/describe.ts';
import { pair } from '../../../core/documents/shared-documents.ts';
import { aspectRatio, interval, rational, resolution, timeCode } from './shape.ts';

const mix = structure('AudioTranscodePresetMixType', {
  input: list(
    structure('AudioTranscodePresetChannelMixType', {
      id: attribute(integer),
      stream: attribute(integer),
      channel: attribute(integer),
      gain: attribute(string),
    }),
  ),
  silence: attribute(boolean),
});

const audio = structure('AudioTranscodePresetType', {
  codec: element(string),
  bitrate: element(integer),
  framerate: element(rational),
  channel: list(integer),
  stream: list(integer),
  preset: list(string),
  noAudio: element(boolean),
  setting: list(pair),
  mix: list(mix),
  monoFile: element(boolean),
  allChannel: element(boolean),
});

const scaling = structure('ScalingType', {
  width: element(integer),
  height: element(integer),
  top: element(integer),
  bottom: element(integer),
  left: element(integer),
  right: element(integer),
  padColor: element(string),
  rotate: element(string),
  pixelAspectRatio: element(aspectRatio),
  targetDAR: element(aspectRatio),
});

const video = structure('VideoTranscodePresetType', {
  scaling: element(scaling),
  codec: element(string),
  bitrate: element(integer),
  framerate: element(rational),
  resolution: element(resolution),
  displayWidth: element(rational),
  displayHeight: element(rational),
  displayXOffset: element(rational),
  displayYOffset: element(rational),
  containerSAR: element(aspectRatio),
  forceCFR: element(boolean),
  gopSize: element(integer),
  maxBFrames: element(integer),
  pixelFormat: element(string),
  preset: list(string),
  profile: list(string),
  noVideo: element(boolean),
  stripParameterSets: element(boolean),
  addParameterSets: element(boolean),
  parameterSets: element(string),
  setting: list(pair),
  burnTimecode: element(boolean),
  burnSubtitles: element(boolean),
  imageQuality: element(integer),
});

const fastStart = structure('FastStartSettingType', {
  requireFastStart: element(boolean),
  analyzeDuration: element(boolean),
  fastStartDuration: element(timeCode),
});

const overlay = structure('OverlayType', {
  uri: list(string),
  id: element(string),
  x: element(integer),
  y: element(integer),
  interval: element(interval),
  opacity: element(integer),
});

/** Transcoding preset of a shape tag. Unknown elements are stored unchanged. */
export const transcodePresetDocument = document('TranscodePresetDocument', {
  description: element(string),
  name: element(string),
  format: element(string),
  audio: element(audio),
  video: element(video),
  startTimecode: element(string),
  fastStartSetting: element(fastStart),
  thumbnailResolution: element(resolution),
  thumbnailBackground: element(string),
  thumbnailPeriod: element(timeCode),
  thumbnailPlugin: element(string),
  posterResolution: element(resolution),
  posterBackground: element(string),
  faceDetect: element(boolean),
  preserveEDL: element(boolean),
  addClipName: element(boolean),
  overlay: list(overlay),
  preferredSourceTag: element(string),
  script: element(string),
  shapeMetadata: list(pair),
  maxChunkDuration: element(timeCode),
  demuxerSetting: list(pair),
  muxerSetting: list(pair),
  sequenceOutput: element(boolean),
});
