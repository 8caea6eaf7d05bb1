/** What a model might well say to a turn of a gold path (variant 0), written without looking at what is checked. */
export interface Retold {
  readonly scenario: string;
  /** Counted from 1. */
  readonly turn: number;
  /** The rules' answer in other words: may be said. */
  readonly faithful: readonly string[];
  /** Something added, left out, turned round, or told too early: may not. */
  readonly wrong: readonly string[];
}

export const retellings: readonly Retold[] = [
  {
    scenario: 'case-management/lumbar-strain',
    turn: 1,
    faithful: [
      "Well, I bent down to pick up a crate, must've been around forty kilos, and as I twisted with it something in my lower back just gave.",
      'I was bending for a crate of some forty kilos and twisted while I had it, and then something gave in my lower back.',
      'Thank you. I bent down for a crate, about 40 kilos, twisted with it, and felt something give in my lower back.',
    ],
    wrong: [
      'I bent down for a crate of about fifty kilos, twisted with it, and something in my lower back gave.',
      'I bent down for a crate of forty kilos, twisted, and my lower back gave. That was in the warehouse, in the middle of my shift.',
      'Something happened to my back at work. It was awful.',
      'I bent down for a crate of about forty kilos, twisted with it, and something in my lower back gave. Dr. Ames called it a strain.',
    ],
  },
  {
    scenario: 'case-management/lumbar-strain',
    turn: 2,
    faithful: [
      'It was Monday, the 29th of January. I was in the warehouse, right in the middle of my shift, at around ten in the morning.',
      'That was a Monday, January the twenty-ninth, around ten in the morning. I was in the middle of my shift in the warehouse.',
    ],
    wrong: [
      'It was a Monday in January, in the warehouse, around ten in the morning.',
      'The twenty-ninth of January, a Monday. It was at home, not in the warehouse, around ten in the morning, before my shift.',
      'The twenty-ninth of January, a Monday. In the warehouse, in the middle of my shift, around ten in the morning. I told my shift lead that afternoon.',
    ],
  },
  {
    scenario: 'case-management/lumbar-strain',
    turn: 3,
    faithful: [
      'I told my shift lead that same afternoon, and he wrote it down in the log. And yes, two days later Dr. Ames saw me at the clinic; she called it a lumbar strain.',
      'My shift lead, the same afternoon. He put it down in the log. Then two days later I saw Dr. Ames at the clinic, and she said it was a lumbar strain.',
    ],
    wrong: [
      'I told my shift lead the same afternoon. He wrote it down in the log. I have not seen a doctor.',
      'I told my shift lead the same afternoon, he wrote it in the log. Dr. Ames at the clinic saw me two days later, called it a lumbar strain, and said no heavy lifting.',
      'I told my shift lead the same afternoon and he wrote it down in the log. Dr. Miller at the clinic saw me two days later, a lumbar strain.',
    ],
  },
  {
    scenario: 'case-management/lumbar-strain',
    turn: 4,
    faithful: [
      "I'd say about a five out of ten, a six when I bend. She said no heavy lifting, and only seated work until I come back to her.",
      'Five out of ten or so, and six when I bend over. And yes: no heavy lifting, seated work only, until I go back to her.',
    ],
    wrong: [
      'About an eight out of ten. No heavy lifting, she said, and seated work only until I come back to her.',
      'About a five out of ten, six when I bend. She said heavy lifting is fine, and seated work only until I come back to her.',
    ],
  },
  {
    scenario: 'case-management/lumbar-strain',
    turn: 6,
    faithful: [
      "You're welcome.",
      "You're very welcome. Thank you for listening.",
      'Of course. Thank you for your help.',
    ],
    wrong: [
      'You are welcome. Will you approve my 4,000 euros?',
      'You are welcome. My brother Peter says hello.',
    ],
  },
  {
    scenario: 'case-management/numb-hands',
    turn: 1,
    faithful: [
      'Oh, I bone poultry, dear. I hold it with the left, cut and twist with the right, one every nine seconds!',
      'I bone poultry, that is what I do: hold with my left hand, cut and twist with my right, a bird every nine seconds.',
    ],
    wrong: [
      'Oh, I bone poultry, hold with the left, cut and twist with the right, one every nine seconds, seven hours a shift.',
      'I work in a poultry plant.',
    ],
  },
  {
    scenario: 'case-management/numb-hands',
    turn: 3,
    faithful: [
      "Last autumn, around October I'd say. At first I thought I had just slept on my arm! And it'll be three years in May that I've been there.",
      'Oh, last autumn, October or thereabouts. I first thought I had slept on my arm, you know. Three years it will be in May.',
    ],
    wrong: [
      'Last summer, August or so. Three years in May.',
      'Last autumn, October or so. First I thought I had slept on my arm.',
    ],
  },
  {
    scenario: 'case-management/numb-hands',
    turn: 4,
    faithful: [
      'Yes, I have. A neurologist measured the nerve, and it turned out to be carpal tunnel on the right.',
      'Oh yes, a neurologist measured the nerve for me. Carpal tunnel, on the right side.',
    ],
    wrong: [
      'Yes, but the nerve was not measured. It is carpal tunnel on the right.',
      'Yes, a neurologist measured the nerve, carpal tunnel on the right. I am not to keep the same grip all day, she wrote.',
    ],
  },
  {
    scenario: 'case-management/broken-wrist',
    turn: 1,
    faithful: [
      "I'm a roofer: up the ladder with the tiles, cutting them and fixing them. It's my right hand that's broken, and I'm right-handed, of course.",
      'Roofer. I carry the tiles up the ladder, cut them, fix them. The right one is broken, and I am right-handed. Of course.',
    ],
    wrong: [
      "I'm a roofer, up the ladder with the tiles. It's the left one, and I am right-handed.",
      'I am a roofer. Of course.',
    ],
  },
  {
    scenario: 'case-management/shoulder-fall',
    turn: 3,
    faithful: [
      'Yes. They took an X-ray at the hospital, and the doctor found a rotator cuff tear. She said no reaching above the shoulder.',
      'I have, yes: the doctor at the hospital took an X-ray. A rotator cuff tear, and I must not reach above my shoulder, she said.',
    ],
    wrong: [
      'Yes, the doctor at the hospital took an X-ray; a rotator cuff tear. I may reach above the shoulder, she said.',
      'Yes, I saw a doctor and she said to take it easy.',
    ],
  },
  {
    scenario: 'case-management/shoulder-fall',
    turn: 5,
    faithful: ['No, nothing at all. I never drink at work.', 'Nothing, no. I never drink when I am at work.'],
    wrong: ['Well, maybe a small beer at lunch.', 'Yes, nothing much. I drink at work.'],
  },
  {
    scenario: 'customer-support/damaged-item',
    turn: 1,
    faithful: [
      "Hi. The order number is A-1041. When I opened the box it was already broken, the side's cracked through.",
      'It is A-1041. It was broken when I opened the box: the side is cracked right through.',
    ],
    wrong: [
      'It is A-1042. It was broken when I opened the box, the side is cracked through.',
      'The number is A-1041. It was broken when I opened the box, the side is cracked through. It is the desk lamp, and I want my money back.',
    ],
  },
  {
    scenario: 'customer-support/damaged-item',
    turn: 2,
    faithful: [
      "I'd like my money back, please.",
      'I just want my money back, thank you.',
      'Honestly, I want the money back.',
    ],
    wrong: [
      'I would like a replacement.',
      'I want my money back, it is the desk lamp, nora.lind@example.com.',
    ],
  },
  {
    scenario: 'customer-support/late-parcel',
    turn: 2,
    faithful: [
      "I've asked the whole house, and nobody has it.",
      'Nobody has it. I asked everyone in the whole house.',
    ],
    wrong: ['My neighbour has it.', 'I have asked the whole house, and Mrs Bell on the third floor has it.'],
  },
  {
    scenario: 'customer-support/missing-part',
    turn: 2,
    faithful: [
      '(rustling) Hold on… oh, there it is! It was taped under the foam. How silly of me. Well, that settles it.',
      'Wait a moment… (rustling) there it is, taped under the foam! How silly of me. So that is settled then.',
    ],
    wrong: ['I looked, but it is not there.', 'Hold on… no, nothing under the foam.'],
  },
  {
    scenario: 'finance-compliance/account-opening',
    turn: 2,
    faithful: [
      "About 2,000 euros a month. It's my salary, I'm a teacher.",
      'Roughly two thousand euros each month: my salary. I work as a teacher.',
    ],
    wrong: [
      'About 20,000 euros a month. My salary. I am a teacher.',
      'About 2000 euros a month, from the sale of my flat.',
    ],
  },
  {
    scenario: 'finance-compliance/account-opening',
    turn: 4,
    faithful: ['No, none of us does.', 'None of us, no.', 'No, none of my family.'],
    wrong: ['Yes, my uncle is a minister.', 'Some of us do.'],
  },
  {
    scenario: 'finance-compliance/business-account',
    turn: 2,
    faithful: [
      'It is about 40,000 euros a month, and hardly any of it is cash: everyone pays by card.',
      'Around forty thousand euros a month. Hardly any cash, everyone pays by card these days.',
    ],
    wrong: [
      'About 40000 euros a month. Mostly cash.',
      'About 40,000 euros a month, hardly any cash, everyone pays by card. I own all of it, for twelve years now.',
    ],
  },
  {
    scenario: 'finance-compliance/large-transfer',
    turn: 1,
    faithful: ["It's eighty thousand euros.", '80,000 euros.', 'Eighty thousand euros, all told.'],
    wrong: ['Eighteen thousand euros.', 'Eighty thousand euros, for a van from a dealer in Bremen.'],
  },
  {
    scenario: 'healthcare-intake/chest-pain',
    turn: 2,
    faithful: [
      'It started half an hour ago. And yes, it goes into my left arm.',
      'About half an hour ago. It goes down into the left arm, yes.',
      'Half an hour ago, and yes, into my left arm. I am a bit scared, to be honest.',
    ],
    wrong: [
      'An hour ago. Yes, into the left arm.',
      'Half an hour ago. No, it stays in the chest.',
      'Half an hour ago. Into the right arm.',
    ],
  },
  {
    scenario: 'healthcare-intake/chest-pain',
    turn: 4,
    faithful: [
      "I'm allergic to penicillin, I get a rash. And I take ramipril in the morning, that's all.",
      'Penicillin gives me a rash. And ramipril, in the mornings, that is all I take.',
    ],
    wrong: [
      'Penicillin. I get a rash. Ramipril and aspirin, in the morning. That is all.',
      'Only penicillin. Ramipril, in the morning. And I smoke ten a day, I know.',
    ],
  },
  {
    scenario: 'healthcare-intake/child-fever',
    turn: 3,
    faithful: [
      "She has little red spots, and they stay when I press a glass on them. She's taking small sips, but she is drinking.",
      'Yes, there are little red spots, and when I press a glass on them they stay. Small sips, but she drinks.',
    ],
    wrong: [
      'There are little red spots; they go away when I press a glass on them. Small sips, but she is drinking.',
      'There are little red spots that stay when I press a glass on them. Small sips. A child from her day care was taken to hospital.',
    ],
  },
  {
    scenario: 'healthcare-intake/new-headache',
    turn: 1,
    faithful: [
      'It was like a clap of thunder! I was lifting a bag, and within a second it was as bad as it could be. That was this morning, around nine.',
      "Like a clap of thunder, since around nine this morning. I'd just lifted a bag and within a second it was as bad as it could possibly be.",
    ],
    wrong: [
      'It came on slowly, since this morning, around nine.',
      'Like a clap of thunder: I was lifting a bag, and within a second it was as bad as it could be. Since this morning, around nine. I have a fever too.',
    ],
  },
  {
    scenario: 'healthcare-intake/new-headache',
    turn: 2,
    faithful: [
      "I'd say a seven out of ten. I don't have a fever, no, and my neck moves the way it always does.",
      'Seven out of ten. No, no fever. And my neck moves as always.',
    ],
    wrong: [
      'Seven out of ten. A slight fever. My neck moves as it always does.',
      'Seven out of ten, and my neck is stiff. No fever.',
    ],
  },
  {
    scenario: 'healthcare-intake/stomach-pain',
    turn: 2,
    faithful: [
      'Since last night. It started in the middle, and now it is low down on the right.',
      'It began last night, in the middle of my belly, and now it sits low on the right side.',
    ],
    wrong: [
      'Since last night. It began low on the right.',
      'Since last night. It began in the middle, now it is low on the left.',
    ],
  },
  {
    scenario: 'healthcare-intake/stomach-pain',
    turn: 4,
    faithful: [
      "Yes, I've thrown up twice. And I'm allergic to penicillin, I get a rash from it.",
      'I threw up two times. Penicillin gives me a rash.',
    ],
    wrong: [
      'I threw up three times. Penicillin. I get a rash.',
      'I did not throw up. Penicillin. I get a rash.',
    ],
  },
  {
    scenario: 'case-management/return-to-work',
    turn: 2,
    faithful: [
      "A seven out of ten, I'd say. My sister helps me with the shopping.",
      'I would say seven out of ten. And my sister does the shopping with me, she helps.',
    ],
    wrong: [
      'Seven out of ten. My wife helps me with the shopping.',
      'Seven out of ten, and nobody helps me.',
    ],
  },
  {
    scenario: 'finance-compliance/large-transfer',
    turn: 3,
    faithful: [
      "I've been there and had a look at the van. And I have the contract right here.",
      'Yes, I went there and looked at the van. The contract is here with me.',
    ],
    wrong: [
      'I have never been there, but I have the contract here.',
      'I have been there and looked at the van. There is no contract.',
    ],
  },
  {
    scenario: 'customer-support/charged-twice',
    turn: 1,
    faithful: [
      'The number is E-5120, and there are two charges, both of them booked.',
      "It's E-5120. I see two charges on there, and both are booked.",
    ],
    wrong: [
      'The number is E-5120. There are two charges, one of them only reserved.',
      'E-5120. Two charges, both booked on the third of May by card.',
    ],
  },
];
