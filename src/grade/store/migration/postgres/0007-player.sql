-- Who played (its name apart, to ask by), the numbers of the grade that lists and sums ask for, and what it took.
ALTER TABLE episode ADD COLUMN player TEXT;
ALTER TABLE episode ADD COLUMN player_card TEXT;
ALTER TABLE episode ADD COLUMN progress DOUBLE PRECISION;
ALTER TABLE episode ADD COLUMN gate INTEGER;
ALTER TABLE episode ADD COLUMN scores TEXT;
ALTER TABLE episode ADD COLUMN total_usage TEXT;

-- What the player said of a turn.
ALTER TABLE turn ADD COLUMN usage TEXT;

UPDATE episode SET
  progress = (grade::json ->> 'progress')::float8,
  gate = (grade::json ->> 'gate')::int,
  scores = json_build_object(
    'success_metrics', grade::json #> '{dimensions,success_metrics,score}',
    'failure_metrics', grade::json #> '{dimensions,failure_metrics,score}',
    'best_practices', grade::json #> '{dimensions,best_practices,score}',
    'rubrics', grade::json #> '{dimensions,rubrics,score}',
    'discovery', grade::json #> '{dimensions,discovery,score}',
    'output_similarity', grade::json #> '{dimensions,output_similarity,score}',
    'decision_match', grade::json #> '{dimensions,decision_match,score}')::text
WHERE grade::json -> 'dimensions' IS NOT NULL;
