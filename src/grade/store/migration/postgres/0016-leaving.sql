-- The months that were taken out and are not dropped yet hang here: the sums still hold them, and whoever reads the sums
-- takes them away.
CREATE TABLE episode_leaving (LIKE episode);
