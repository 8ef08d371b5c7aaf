/**
 * The words that passwords are most often made of, collected by hand from general knowledge: names, teams, animals,
 * love and abuse, computers, seasons, places, films. With the rules of common-passwords.ts each covers thousands of
 * spellings. Not taken from any leaked list.
 */
export const COMMON_PASSWORD_WORDS = `
password passwort passwd passw pass passcode passphrase parola contrasena contraseña senha motdepasse mdp haslo wachtwoord
salasana losenord lösenord kennwort geheim secret secrets secreto segredo letmein welcome wilkommen willkommen bienvenue
bienvenido benvenuto hello hallo hola bonjour ciao salut goodbye login logon signin signup access open opensesame sesame
admin administrator administrador root user username guest test tester testing test123 demo temp temporary default change
changeme changeit newpassword oldpassword mypassword password1 password123 passw0rd pa55word p4ssword master maestro
superuser superman batman spiderman ironman wolverine deadpool avengers marvel captain hulk thor loki joker robin catwoman
wonderwoman superwoman superstar rockstar pokemon pikachu charizard naruto sasuke sakura dragonball goku vegeta mario luigi
zelda sonic minecraft roblox fortnite callofduty warcraft starcraft counterstrike halo gamer games gaming player playboy
playstation xbox nintendo steam discord twitch youtube google facebook twitter instagram whatsapp tiktok snapchat linkedin
amazon netflix spotify apple iphone ipad android samsung galaxy nokia motorola sony microsoft windows linux ubuntu debian
computer laptop internet network server system mysql oracle cisco juniper router modem wireless wifi hacker hacking hacked
security secure private public personal
qwerty qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qweasd qweasdzxc asdzxc qwe asd zxc wsx abc abcd abcde xyz
abcdef abcdefg abcabc abc123 abcd1234 a1b2c3 a1b2c3d4 q1w2e3 q1w2e3r4 zaq zaqxsw aa bb cc aaa bbb ccc xxx zzz
iloveyou iloveu loveyou lovely lover lovers love loveme mylove truelove loveforever forever always babe baby babygirl babyboy
honey sweet sweetie sweetheart sweety darling angel angels angelo heaven heart hearts kiss kisses kissme sexy sexsex sex
sexygirl hottie beautiful beauty pretty princess prince princesa queen king kings kingdom lady boss bigboss bigdaddy daddy
daddysgirl mommy mom mother father dad brother sister family friends friend bestfriend bff buddy cutie cute handsome
teamo tequiero amor amormio amore micorazon corazon mivida bebe amigo amigos amiga hermosa bonita chocolate teddybear teddy
fuckyou fuck fucker fuckoff fuckme asshole bitch bitches bullshit shit shithead dick bigdick cock pussy penis tits boobs
bigtits porn motherfucker bastard damn whatever nothing something anything everything nobody somebody idontknow
dragon dragons monkey monkeys tiger tigers lion lions eagle eagles falcon falcons hawk hawks wolf wolves bear bears panther
panthers jaguar cheetah leopard cougar cougars bull bulls bulldog bulldogs horse horses pony mustang stallion bronco broncos
dolphin dolphins shark sharks whale turtle frog froggy snake cobra viper python spider scorpion butterfly bird birdie phoenix
penguin penguins chicken rooster duck ducks turkey rabbit bunny kitty kitten kitty hellokitty cat cats dog dogs doggy doggie
puppy puppies hamster mouse mickey minnie mickeymouse donald goofy pluto snoopy garfield tweety tigger winnie pooh
poohbear nemo simba bambi dumbo shrek barbie cinderella ariel jasmine pumpkin peanut peaches peach cherry apple apples banana
bananas orange oranges lemon mango strawberry blueberry coconut cookie cookies candy cupcake sugar pepper ginger cinnamon
vanilla coffee cappuccino cocacola coke pepsi sprite beer budweiser heineken whiskey vodka wine tequila pizza cheese burger
butter bacon potato tomato sandwich noodle spaghetti
football baseball basketball soccer softball hockey tennis golf golfer golfing volleyball rugby cricket boxing wrestling
swimming fishing hunter hunting racing skateboard snowboard surfing surfer runner running dancer dancing ballet karate
lakers celtics yankees redsox cowboys steelers packers patriots raiders giants jets rangers dodgers cubs mets braves indians
chelsea arsenal liverpool manchester united manutd manchesterunited city everton tottenham barcelona realmadrid madrid
juventus milan inter bayern dortmund schalke benfica porto sporting ajax celtic boca flamengo corinthians palmeiras santos
ronaldo messi neymar beckham zidane jordan kobe lebron federer nadal schumacher senna ferrari porsche lamborghini maserati
mercedes bmw audi volkswagen toyota honda nissan mazda subaru suzuki yamaha ducati kawasaki harley harleydavidson ford
chevy chevrolet corvette camaro dodge charger jeep tesla volvo peugeot renault citroen fiat vespa truck trucks
summer winter spring autumn fall january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday sommer fruehling frühling herbst januar februar märz maerz
juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag verano invierno primavera otono
sunshine sun moon moonlight star stars stardust starlight sky skyline rainbow rain thunder lightning storm snow snowball
snowman fire ice water ocean river island beach forest flower flowers rose roses daisy lily violet jasmin orchid
tulip sunflower garden nature earth world planet universe cosmos space rocket galaxy matrix neo trinity morpheus
starwars startrek skywalker luke vader darthvader yoda chewbacca leia hansolo jedi sith enterprise spock kirk
harrypotter potter hogwarts gryffindor slytherin dumbledore hermione voldemort gandalf frodo aragorn legolas gollum hobbit
lordoftherings mordor gameofthrones winterfell stark lannister targaryen khaleesi jonsnow rambo rocky terminator predator
alien godzilla kingkong tarzan zorro gladiator maximus spartacus troy achilles hercules zeus apollo athena ares hades
poseidon odin freya anubis osiris phoenix merlin arthur excalibur camelot lancelot wizard magic magician sorcerer witch
vampire zombie ghost demon devil satan lucifer hell evil killer murder death dead die warrior soldier sniper ninja samurai
viking pirate pirates knight ranger scout marine marines army navy airforce military police fireman firefighter doctor nurse
teacher student school college university academy engineer lawyer
jesus jesuschrist christ jesus1 god godisgood godislove blessed blessing faith hope grace heaven angel bible church
christian catholic allah muhammad mohammed islam muslim buddha krishna shiva ganesh hanuman omsairam sairam waheguru bismillah
michael michelle jennifer jessica ashley amanda melissa nicole stephanie daniel danielle matthew anthony andrew joshua
christopher christian christina christine jonathan jordan justin ryan brandon tyler kevin jason brian david robert richard
william james john johnny joseph thomas charles george edward edwards steven stephen patrick peter paul mark martin alex
alexander alexandra alexandre alexis samantha sam samuel benjamin nicholas nathan zachary jacob joshua ethan aiden logan
lucas oliver jack jackson harry harrison charlie charlotte george georgia sophia sophie emma olivia isabella ella mia ava
emily hannah sarah rachel rebecca lauren megan victoria vanessa veronica natalie natasha katherine kathryn katie kate karen
kelly kimberly laura lisa linda maria marie mary margaret martha monica patricia pamela angela andrea anna annie amy
barbara betty brenda carol caroline catherine cynthia deborah diana diane donna dorothy elizabeth heather helen jacqueline
janet jane joan joyce judith julia julie sandra sharon shirley susan teresa theresa virginia carlos jose juan luis miguel
antonio francisco manuel pedro alejandro fernando ricardo eduardo sergio roberto diego pablo rafael gabriel gabriela
daniela camila valentina mariana natalia carolina fernanda adriana lorena paola claudia alejandra ana lucia sofia elena
marco matteo francesco alessandro andrea giuseppe giovanni antonella martina francesca chiara giulia sara hans peter klaus
wolfgang stefan andreas thomas juergen jürgen michaela sabine petra monika claudia nicole anja katrin jan lukas leon felix
florian sebastian tobias dennis marcel pascal pierre jean jacques nicolas julien camille chloe manon lea thierry olivier
laurent philippe isabelle nathalie sylvie ivan dmitri sergey vladimir natasha tatiana olga svetlana ekaterina anastasia
mohamed ahmed ali hassan fatima omar ibrahim yusuf khan singh kumar sharma patel raj rahul rohit amit priya pooja neha
kim lee park wang chen zhang liu yang huang woaini nihao dearbook aptx princess tinkle xiaoming
hunter hunter2 shadow shadows master killer ghost trustno trustno1 trustme donttell unknown mystery mysterious silver gold
golden goldfish diamond diamonds pearl ruby crystal platinum emerald sapphire jade amber black white red blue green yellow
purple pink orange brown grey gray blackcat blackjack blacky blackie whitey redred blueblue bluesky greenday purplehaze
metallica nirvana slipknot korn linkinpark greenday acdc ironmaiden megadeth pantera beatles rollingstones queen pinkfloyd
ledzeppelin coldplay oasis radiohead eminem tupac biggie snoopdogg jayz kanye drake rihanna beyonce britney shakira madonna
elvis prince michaeljackson justinbieber bieber onedirection taylorswift ladygaga blink blink182 rocknroll rock music guitar
drums drummer piano violin bass singer song hiphop rapper techno trance reggae bobmarley jazz blues country
america american usa newyork brooklyn manhattan california losangeles hollywood chicago boston texas dallas houston austin
florida miami orlando vegas lasvegas denver seattle portland sanfrancisco sandiego phoenix atlanta philadelphia detroit
canada toronto montreal vancouver england london scotland ireland dublin wales britain british france paris germany berlin
münchen muenchen hamburg frankfurt koeln köln deutschland italy italia roma milano napoli spain espana españa sevilla
portugal lisboa brasil brazil argentina chile peru mexico colombia venezuela cuba russia moscow moskva poland polska
warszawa turkey istanbul galatasaray fenerbahce besiktas greece athens egypt israel india mumbai delhi china shanghai
beijing japan tokyo korea seoul australia sydney melbourne africa nigeria kenya
money dollar dollars cash rich millionaire billionaire success winner winners champion champions lucky luckyone number
numberone first one two three four five six seven eight nine ten hundred thousand million onetwothree onetwo zero
freedom free liberty justice peace truth power powerful energy strong strength happy happiness happyday smile smiley smiles
fun funny crazy psycho insane mad stupid dumb loser lazy cool coolness coolguy awesome amazing perfect best great good nice
super mega ultra turbo extreme maximum special magic dream dreams dreamer destiny fantasy future life live live4ever mylife
newlife birthday happybirthday christmas xmas merrychristmas santa halloween easter newyear holiday holidays vacation
weekend party partytime nightmare midnight night day today tomorrow yesterday morning sunrise sunset
bailey buster buddy maggie molly sadie lucy daisy rocky toby bella max maxwell lola coco oscar rusty sparky sammy smokey
scooter scooby scoobydoo shelby snickers snowball speedy spike sugar taz thunder tinker trixie whiskers ziggy boomer brandy
casey chester chico cooper dakota dusty jake jasper lady midnight misty murphy muffin oreo patches pebbles peewee
pookie precious princess prince rascal rambo rex samson sassy shadow simba skippy tucker zeus
house home homer simpson bart bartman bartsimpson family familyguy southpark cartman kenny spongebob patrick squidward
bigbird elmo cookie cookiemonster muppet kermit smurf smurfs yogi scooby flintstone bugsbunny daffy roadrunner popeye
business office company work worker working manager director sales marketing finance account accounting service services
support customer helpdesk help info information contact mail email webmail website webmaster hosting domain database data
backup storage cloud amazon azure docker kubernetes jenkins github gitlab bitbucket atlassian jira confluence slack zoom
letmein1 welcome1 welcome123 admin123 root123 test1234 user123 qwerty1 qwerty12 qwerty123 abc12345 pass1234 zaq12wsx zaq1zaq1
1qaz2wsx 1q2w3e4r qwer1234 asdf1234 zxcv1234 qwerasdf asdfasdf qweqwe asdasd zxczxc aaaa1111 a123456 a1234567 aa123456
correcthorsebatterystaple correcthorse batterystaple horsebattery monkey1 dragon1 access14 ncc1701 thx1138 bond007 jamesbond
rush2112 mypass mypasswd nopassword nopass noaccess blahblah blabla blah lalala lala nananana hahaha haha hehehe lol lolol
lollol omg wtf yolo swag swagger noob noobie newbie elite leet pwned owned hardcore gangsta gangster thug pimp player hustler
ganja marijuana weed smoke smokeweed cannabis stoner cocaine heroin drugs
sexybitch sexylady sexymama hotgirl hotboy badboy badgirl goodgirl goodboy bigboy littlegirl littleone lilman girl girls boy
boys woman women man men naughty spanky honeybee honeybunny sugarplum sweetpea cupid valentine romance
romeo juliet romeoandjuliet bonnie clyde adam eve titanic avatar inception transformers optimus megatron
bumblebee casper snowwhite frozen elsa olaf moana rapunzel aladdin genie mulan tarzan nala timon pumbaa
`;
