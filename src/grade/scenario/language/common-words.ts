/**
 * Words and phrases that mean much the same in a conversation, whatever it is about: each line one concept.
 * A scenario adds its own with `person.synonyms`. A word may stand in several lines.
 */
export const commonWords: readonly string[] = [
  // question words
  'when, what date, which date, what day, which day, what time, which day, date, how long ago, day, since when, how recently, the exact day, what month, which month, what year, first notice, onset, timing',
  'where, what place, which place, location, which part, what part, site, whereabouts, spot, what area, which area, area, place',
  'who, whom, which person, whose, anyone, anybody, somebody, someone, any people, what person',
  'why, what reason, reason, what made, how come, what led, because of what, purpose, motivation, what for, what prompted, prompt, behind',
  'how long, duration, for how many days, how many days, how many weeks, how many months, how many years, length of time, since when, how much time',
  'how much, amount, what sum, total, cost, price, how big, sum, figure, how large, value, worth',
  'how many, number of, count, how often',
  'how often, frequency, frequent, how many times, regular, how regularly, every day, daily, per week, per day, a day, a week',
  'how bad, how severe, severe, severity, how strong, intense, intensity, scale, rate, one to ten, out of ten, 1 to 10, 0 to 10, zero to ten, 1-10, 0-10, how serious, serious, how much does it, how painful, score',
  'how, in what way, what way, manner, by what means, how exactly',
  // time
  'begin, start, first, commence, onset, set in, come on, go back, originally, initially, started',
  'end, finish, stop, over, conclude, complete',
  'change, get better, get worse, improve, better, worse, worsen, progress, develop, evolve, compare',
  'before, previous, prior, past, earlier, history, ever, in the past, formerly, pre-existing, preexisting, last time, already had, background, anything like this, something like this, similar, first time, previously',
  'now, current, today, currently, at the moment, these days, at present, presently, right now, nowadays, lately, still',
  'soon, urgent, deadline, hurry, how quickly, by when, rush, time frame, timeline, immediate, asap',
  'recent, lately, new, recently, last few, past few',
  // happening
  'happen, occur, take place, incident, event, go on, come about, unfold, transpire, go wrong',
  'injury, hurt, injure, accident, get hurt, wound, harm, incident, strain, mishap',
  'pain, hurt, ache, sore, discomfort, painful, aching, soreness, tender, suffer, symptom',
  'symptom, complaint, feel, sign, trouble, problem, bother, issue, experience',
  'radiate, travel, spread, shoot, shooting, run down, go down, move, anywhere else, elsewhere, other part, other place',
  'numb, numbness, tingle, tingling, pins and needles, loss of feeling, loss of sensation, sensation, prickle',
  'weak, weakness, strength, give way, gives out',
  'fall, trip, slip, tumble, stumble',
  'cause, lead to, bring on, bring this on, bring it on, set it off, set this off, bring that on, due to, reason for, bring about, trigger, bring about, result from, set off, provoke, aggravate, worsen, make worse',
  'relieve, ease, help, soothe, make better, relief, alleviate, feel better',
  // people
  'doctor, physician, gp, clinician, practitioner, specialist, surgeon, consultant, clinic, hospital, emergency room, urgent care, er, medic, nurse, provider, medical attention, medical help, medical care',
  'boss, supervisor, manager, employer, foreman, superior, team lead, shift lead, line manager, hr, management, company',
  'witness, see it, bystander, anyone around, anyone else there, anyone there, watch, present, observe, with you, onlooker, saw what, notice',
  'coworker, colleague, workmate, co-worker, fellow worker, team mate',
  'family, relative, parent, mother, father, mom, dad, mum, sibling, brother, sister, runs in the, hereditary, genetic, grandparent, grandmother, grandfather',
  'live, home, household, house, at home, living situation, apartment',
  'partner, spouse, wife, husband, married, boyfriend, girlfriend, marital',
  'child, kid, son, daughter, children, baby',
  // work and money
  'job, work, occupation, employment, profession, employ, do for a living, role, position, career, duty, line of work, trade, position, responsibility',
  'workplace, at work, on the job, on shift, on duty, on the clock, work hours, working hours, during your shift, while working, work-related, job-related',
  'report, notify, inform, let know, mention, communicate, file, bring up, raise',
  'pay, payment, paid, settle, transfer, transaction, remit',
  'money, fund, cash, finance, income, salary, earn, wage, wealth, financial',
  'source of funds, source of the money, come from, where the money, source of the funds, origin, source, where did you get',
  'account, bank, banking',
  'bill, invoice, charge, statement, receipt, fee',
  'buy, purchase, order, get, acquire, shop, bought',
  'refund, money back, reimburse, return the money, repay, reimbursement, compensation, credit back',
  'return, send back, give back, bring back',
  'order number, order id, reference number, confirmation number, order reference, reference, order code',
  'deliver, delivery, arrive, ship, shipping, shipment, package, parcel, courier, come in the mail, receive',
  'broken, damage, defective, faulty, crack, cracked, break, not work, stop working, malfunction, dent, smash, defect, shatter, condition',
  'address, where do you live, street, postcode, zip, zip code, postal code',
  'email, e-mail, mail address, email address',
  'phone, telephone, number, call back, mobile, cell',
  'birth, born, age, how old, date of birth, birthday, birthdate, dob, old',
  'business, company, firm, trade, organisation, organization, enterprise',
  'own, owner, ownership, belong, shareholder, hold, control, beneficial owner',
  'country, abroad, foreign, overseas, nation, nationality, international, citizen, jurisdiction',
  'politics, political, politician, public office, government, minister, public function, official, politically exposed',
  'contract, agreement, terms, policy, deal',
  'document, paper, paperwork, record, proof, evidence, documentation, file, certificate, form, photo, picture, image, photograph',
  // health
  'medicine, medication, drug, tablet, pill, prescription, prescribe, painkiller, dose, treatment, remedy, over the counter, ibuprofen, pharmacy, take anything, taking anything, meds, supplement',
  'allergy, allergic, allergen, reaction, react, intolerance, sensitive to',
  'treat, treatment, therapy, therapist, see a doctor, physio, physiotherapy, seek care, care, examine, medical attention, get checked, checked out, looked at, look at it',
  'scan, x-ray, xray, mri, ct, imaging, ultrasound, test, examination, blood test, radiograph',
  'operation, surgery, surgical, procedure, operate',
  'smoke, cigarette, tobacco, smoker, nicotine, vape',
  'alcohol, drink, beer, wine, drinker, booze, units a week',
  'sleep, night, rest, asleep, bed, wake, waking, insomnia, sleeping',
  'fever, temperature, chill, hot, feverish, sweats',
  'breath, breathe, breathless, short of breath, shortness of breath, breathing, wheeze, puff',
  'chest, heart, cardiac',
  'cough, phlegm, sputum, cold',
  'pregnant, pregnancy, expecting, period, last period',
  'condition, illness, disease, diagnosis, diagnose, health problem, medical history, medical condition, sickness, chronic',
  'bladder, bowel, toilet, urine, continence, control of your, bathroom, incontinence, pass water, pee, urinate',
  'mood, sad, depress, depressed, anxious, anxiety, stress, emotional, mental health, spirits, down, low, worry',
  'eat, food, meal, diet, appetite, hungry',
  'drive, car, vehicle, automobile, driving',
  'heavy, weight, weigh, lift, load, carry, how heavy, pounds, kilos, kg, pound, kilo',
  'lift, raise, carry, pick up, haul, hoist, move',
  'back, spine, lumbar, lower back',
  'leg, thigh, calf, knee, foot, limb',
  'arm, elbow, hand, wrist, shoulder, limb',
  'able, can, manage, ability, capable, capacity, cope, unable, limitation, limit, restrict, difficulty, struggle, hard for, hard to, difficult',
  'sit, seat, chair, seated, sitting',
  'walk, stand, stairs, move around, move about, get around, mobility',
  'want, need, expect, hope, wish, prefer, goal, outcome, like to see, looking for, would help, ideal, preference, after',
  'worry, concern, fear, afraid, anxious, scare, nervous, concerned',
  'problem, issue, trouble, wrong, matter, difficulty, complaint, fault, error',
  'try, attempt, already done, so far, tried, steps',
  'safe, safety, danger, risk, hurt yourself, harm yourself, suicidal, threat',
  'plan, intend, intention, going to, future, aim',
  'use, utilise, utilize, usage, apply, utilization',
  'agree, accept, consent, permission, ok with, okay with, happy with, fine with, willing, authorise, authorize',
  'know, aware, realise, realize, familiar',
  'friend, neighbor, neighbour, buddy, pal, acquaintance',
];

/** Words that carry no topic: a pattern may leave them out or write them, they are never asked for. */
export const emptyWords: ReadonlySet<string> = new Set(
  (
    'a an the of to in on at for with by and or but so as is are was were be been being am do did does you your yours i me my we us our ' +
    'it its this that these those there here have had has will would could should can may might shall please just also then than ' +
    'if any some about from into tell ask know let really actually exactly more little bit kindly maybe perhaps well okay ok ' +
    'thing something anything everything else sure like get'
  ).split(' '),
);

/** First words and phrases that make a sentence ask for something. Matched on plain lower-case text. */
export const requestStart =
  /^(?:(?:and|so|but|ok|okay|now|next|first|firstly|second|secondly|then|also|finally|lastly|alright|right|great|thanks|thank you|good|sorry|well|hi|hello|one more thing|i see|got it|understood|to start|to begin|before that|just to be clear|for the record|in addition|additionally|moreover|out of curiosity|if i may(?: ask)?|if you do not mind(?: me asking)?)[,: -]+)*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|am|have|has|had|can|could|would|will|may|might|should|any|anything|anyone|ever|tell me|describe|explain|walk me|take me|share|give me|give us|talk (?:me|to me|about)|list|name|state|specify|confirm|clarify|elaborate|provide|help me|show me|remind me|point out|please)\b/;

export const requestInside =
  /\b(?:tell (?:me|us)|let me (?:know|ask|hear)|i (?:would|will|am going to|want to|wanted to|need to|have to|must|should|just need to|also need to|would also|would really|still need to) ?(?:like|love|want|need|have)? ?(?:to )?(?:know|hear|understand|ask|learn|see|find out|get|discuss|confirm|clarify|check|establish|go over|talk about|hear about)|i (?:also |still |just )?(?:need|require|want) (?:your|the|some|a few|more|details|information)\b|(?:could|can|would|will|may|might) (?:you|i|we)|do you mind|would you mind|mind (?:telling|sharing|if i ask)|let us (?:talk|discuss|go over|start|begin|go|cover|move|turn|look|return)|what about|how about|help me understand|i (?:wonder|was wondering|am wondering|am curious|am interested|am trying to)|curious (?:about|to|whether|if)|interested in|question (?:is|about|concerns)|walk me through|take me through|talk me through|fill me in|for my (?:notes|records|file)|please (?:tell|describe|explain|share|give|confirm|list|provide|state|specify|say|elaborate)|, please$| please$)\b/;

/** A sentence that says it does not want to know. */
export const refusedRequest =
  /(?:^|\b)(?:not (?:when|where|how|what|who|why|the)|(?:please )?do not (?:tell|worry|describe|explain|say|mention|bother|need to|have to|share|answer|talk|give|go into)|(?:i|we) (?:do|will|would|am|are|did) not (?:want|need|ask|care|going|asking|interested|require|mean)|i am not (?:asking|interested|going|here)|you (?:do|need|will) not (?:have|need|tell)|no need|need not|never mind|forget (?:about|what|that|it|the|your)|not asking|leave .{1,60}(?:aside|out|for (?:later|another|now))|put .{1,60}aside|not (?:the|your|about) |we can skip|let us skip|skip (?:the|your|over|that)|without (?:telling|asking|going)|set aside|is not (?:relevant|important|my concern|needed)|does not matter|regardless of|already (?:know|have|told|noted|understand)|i know (?:about|that|when|where|how|what|who|your))\b/;

/** What follows these words is what is not asked for. */
export const contrast =
  /\b(?:instead of|rather than|other than|apart from|besides|except(?: for)?|aside from|but not|not counting|leaving aside)\b/;

/** Questions about what the operator should do, or about the world in general, are not questions about the person. */
export const notAboutPerson =
  /^(?:(?:and|so|but|ok|okay|now|well)[, ]+)*(?:should|shall|must|do|did|may|can|could|am|will|would|was|have) (?:i|we)\b(?! (?:ask|know|get|have|hear|see|talk|discuss|go|start|confirm|check|take|begin|please|just|also|clarify|briefly|quickly|first|maybe|perhaps))|\b(?:in general|generally speaking|most people|people in general|on average|hypothetically|theoretically|for the average|does one|do people|do patients|do workers|do companies|do customers|for most|some people|other people|other patients|other customers|a typical|typical (?:patient|worker|customer)|in theory|in principle)\b/;

/** Other people: a question about them is not about the person, unless the pattern says so too. */
export const otherPeople: ReadonlySet<string> = new Set(['#family', '#partner', '#child', '#friend']);
