import {
  attribute,
  boolean,
  content,
  dateTime,
  document,
  element,
  integer,
  list,
  ownFirstInJson,
  string,
  structure,
  type Value,
} from '../../../core/documents/describe.ts';
import { pair, simpleMetadata } from '../../../core/documents/shared-documents.ts';
import { fileType } from '../../../storage/public-reading.ts';

export const rational = structure('RationalType', {
  numerator: element(integer).required,
  denominator: element(integer).required,
});
export const aspectRatio = structure('AspectRatioType', {
  horizontal: element(integer).required,
  vertical: element(integer).required,
});
export const timeCode = structure('TimeCodeType', {
  samples: element(integer).required,
  timeBase: element(rational).required,
});
export const interval = structure('TimeIntervalType', { start: element(timeCode), end: element(timeCode) });
export const resolution = structure('ResolutionType', {
  width: element(integer).required,
  height: element(integer).required,
});
const edl = structure('EDLType', {
  timeScale: element(rational),
  timeBase: element(rational),
  entry: list(
    structure('EDLEntryType', {
      start: attribute(integer),
      length: attribute(integer),
      mediaRate: attribute(integer),
    }),
  ),
});
const mediaInfo = structure('BaseMediaInfoType', {
  Bit_rate_mode: element(string),
  Source: element(string),
  property: list(pair),
  Format_Settings_GOP: element(string),
  intra_dc_precision: element(integer),
});
const typedText = (name: string) => structure(name, { type: attribute(string), value: content(string).required });

/** Elements common to all components. */
const base = {
  file: list(fileType),
  id: element(string).outputOnly,
  metadata: list(pair).max(1000),
};

const media = {
  codec: element(string),
  timeBase: element(rational),
  itemTrack: element(string).says('Track, such as V1, A2 or S1. Default: numbered in the order of the streams.'),
  essenceStreamId: element(integer),
  interval: element(interval),
  bitrate: element(integer),
  numberOfPackets: element(integer),
  extradata: element(string),
  pid: element(integer),
  duration: element(timeCode),
  profile: element(integer),
  level: element(integer),
  edl: element(edl),
  startTimestamp: element(timeCode),
  repeatCount: element(integer),
  segment: element(string),
  trackOrder: element(integer),
};

const ofAudio = {
  channelCount: element(integer),
  channelLayout: element(integer),
  sampleFormat: element(string),
  frameSize: element(integer),
  blockAlign: element(integer),
};

const ofVideo = {
  videoStandard: element(typedText('VideoStandardType')),
  resolution: element(resolution),
  pixelFormat: element(string),
  maxBFrames: element(integer),
  pixelAspectRatio: element(aspectRatio),
  fieldOrder: element(string),
  codecTimeBase: element(rational),
  averageFrameRate: element(rational),
  realBaseFrameRate: element(rational),
  displayWidth: element(rational),
  displayHeight: element(rational),
  displayXOffset: element(rational),
  displayYOffset: element(rational),
  containerSAR: element(aspectRatio),
  colr_primaries: element(integer),
  colr_transfer_function: element(integer),
  colr_matrix: element(integer),
  max_packet_size: element(integer),
  startTimecode: element(integer),
  dropFrame: element(boolean),
  ticks_per_frame: element(integer),
  bitDepth: element(integer),
  bitsPerPixel: element(integer),
  colorPrimaries: element(string),
};

const ofContainer = {
  duration: element(timeCode),
  format: element(string),
  subFormat: element(string),
  firstSMPTETimecode: element(string),
  startTimecode: element(integer),
  startTimestamp: element(timeCode),
  roundedTimeBase: element(integer),
  dropFrame: element(boolean),
  timeCodeTimeBase: element(rational),
};

const ofBinary = {
  format: element(string),
  encoding: element(string),
  offset: element(integer),
  length: element(integer),
};

const ofDescriptor = { description: list(typedText('ComponentDescriptionType')) };
const info = { mediaInfo: element(mediaInfo) };

const ofAll = ownFirstInJson(base);
const ofMedia = ownFirstInJson(base, media);
const containerType = structure('ContainerComponentType', { ...base, ...ofContainer, ...info }, ofAll);
const videoType = structure('VideoComponentType', { ...base, ...media, ...ofVideo, ...info }, ofMedia);
const audioType = structure('AudioComponentType', { ...base, ...media, ...ofAudio, ...info }, ofMedia);
const subtitleType = structure('SubtitleComponentType', { ...base, ...media, ...info }, ofMedia);
const binaryType = structure('BinaryComponentType', { ...base, ...ofBinary, ...info }, ofAll);
const descriptorType = structure('DescriptorComponentType', { ...base, ...ofDescriptor }, ofAll);

/** Component of any kind. */
const componentType = structure(
  'AnyComponentType',
  {
    ...base,
    ...media,
    ...ofAudio,
    ...ofVideo,
    ...ofContainer,
    ...ofBinary,
    ...ofDescriptor,
    ...info,
  },
  ofMedia,
);

export const componentDocument = document('ComponentDocument', componentType);
export type Component = Value<typeof componentDocument>;
export const componentListDocument = document('ComponentListDocument', { component: list(componentType) });

export const shapeType = structure('ShapeType', {
  id: element(string).outputOnly,
  created: element(dateTime).outputOnly,
  uuid: element(string),
  essenceVersion: element(integer).outputOnly.says('Number of the essence version of the item, from 0.'),
  tag: list(string).max(100),
  mimeType: list(string).max(100),
  binaryComponent: list(binaryType),
  containerComponent: element(containerType),
  descriptorComponent: list(descriptorType),
  audioComponent: list(audioType),
  videoComponent: list(videoType),
  subtitleComponent: list(subtitleType),
  metadata: element(simpleMetadata),
  item: list(structure('ShapeItemType', { id: element(string) })).outputOnly,
});

export const shapeDocument = document('ShapeDocument', shapeType);
export type ShapeOf = Value<typeof shapeDocument>;

/** Shapes with their items, for uses of a file and for searches of shapes. */
export const shapeListDocument = document('ShapeListDocument', {
  hits: element(integer),
  shape: list(shapeType),
  nextCursor: element(string).outputOnly,
});

export const essenceVersionDocument = document('EssenceVersionDocument', {
  created: element(dateTime),
  shape: list(shapeType),
});
export type EssenceVersion = Value<typeof essenceVersionDocument>;

export const essenceVersionListDocument = document('EssenceVersionListDocument', {
  version: list(
    structure('EssenceVersionEntryType', {
      id: element(integer),
      uri: element(string),
      created: element(dateTime),
    }),
  ),
});
