export { cohensKappa } from '../grade/episode/judge/agreement.ts';
export { krippendorffAlpha, raterAgreement } from './statistics/agreement.ts';
export type { RaterAgreement, Rating } from './statistics/agreement.ts';
export { bootstrapInterval } from './statistics/bootstrap.ts';
export { clusteredMean } from './statistics/clustered-mean.ts';
export type { ClusteredMean } from './statistics/clustered-mean.ts';
export { compareResults } from './statistics/comparison.ts';
export type { Comparison, TaskChange } from './statistics/comparison.ts';
export { Gate, runGate } from './statistics/gate.ts';
export type { GateVerdict } from './statistics/gate.ts';
export { meanInterval, wilsonInterval } from './statistics/interval.ts';
export type { Interval } from './statistics/interval.ts';
export { holmCorrection } from './statistics/many-comparisons.ts';
export { passRates } from './statistics/pass-at-k.ts';
export type { PassRates } from './statistics/pass-at-k.ts';
export { detectableDifference } from './statistics/power.ts';
export type { Plan } from './statistics/power.ts';
export { clustersOf } from './statistics/result.ts';
export type { Cluster, TaskResult } from './statistics/result.ts';
export { writeAtif } from './exchange/atif.ts';
export { readTrajectories } from './exchange/formats.ts';
export { writeInspectLog } from './exchange/inspect/write-log.ts';
export { writeOpenAI } from './exchange/openai.ts';
export { storedTrajectory } from './exchange/stored-episode.ts';
export type { StoredEpisodeOptions } from './exchange/stored-episode.ts';
export { writeVerifiers } from './exchange/verifiers.ts';
export type {
  ReplyTokens,
  ToolDefinition,
  Trajectory,
  TrajectoryAgent,
  TrajectoryGrade,
} from './exchange/trajectory.ts';
export { openTauBench } from './tau-bench/grade.ts';
export type { TauBenchGrade } from './tau-bench/grade.ts';
export { openTau2 } from './tau2/grade.ts';
export type { Tau2Checks, Tau2Grade } from './tau2/grade.ts';
