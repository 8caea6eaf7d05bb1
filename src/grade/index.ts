export { gradeTranscript, scoringVersion } from './score/grade-transcript.ts';
export type { GradeOptions } from './score/grade-transcript.ts';
export { compareGrades } from './score/compare-grades.ts';
export type { Comparison } from './score/compare-grades.ts';
export type { CriterionGrade, DimensionGrade, DimensionName, Grade, RewardConfig } from './score/grade.ts';
export type { Verdict, Verdicts } from './score/verdict.ts';
export { readTranscript } from './score/read-transcript.ts';
export { loadCatalog, findScenario } from './scenario/load/catalog.ts';
export type { Catalog } from './scenario/load/catalog.ts';
export type { Scenario } from './scenario/scenario.ts';
export { buildTask } from './scenario/build-task.ts';
export type { Task } from './scenario/task.ts';
export type {
  CallOutcome,
  Observation,
  Transcript,
  TranscriptTurn,
  TurnCall,
  TurnMessage,
} from './scenario/transcript.ts';
export { checkScenario } from './check/check-scenario.ts';
export type { CheckOptions } from './check/check-scenario.ts';
export type { ScenarioReport } from './check/report.ts';
export { attackScenario } from './check/attack.ts';
export type { Attack, AttackOptions, Payment } from './check/attack.ts';
export { shrinkTranscript } from './check/shrink/shrink.ts';
export type { Shrunk, ShrinkOptions } from './check/shrink/shrink.ts';
export type { ShrinkTarget } from './check/shrink/target.ts';
export { creditCalls } from './check/shrink/credit.ts';
export type { CallCredit, CriterionChange } from './check/shrink/credit.ts';
export { openStore } from './store/open-store.ts';
export type { Store } from './store/store.ts';
export { storeConversations } from './store/store-conversations.ts';
export { storeJournal } from './store/store-journal.ts';
export { modelHearing } from './episode/hearing/model-hearing.ts';
export type { ModelHearingOptions } from './episode/hearing/model-hearing.ts';
export type { Hearing } from './episode/hearing/hearing.ts';
export { modelVoice } from './episode/voice/model-voice.ts';
export type { ModelVoiceOptions } from './episode/voice/model-voice.ts';
export { recordedVoice } from './episode/voice/recorded-voice.ts';
export type { Recording } from './episode/voice/recorded-voice.ts';
export type { Voice } from './episode/voice/voice.ts';
export { modelJudge } from './episode/judge/judge.ts';
export type { Judge, ModelJudgeOptions } from './episode/judge/judge.ts';
